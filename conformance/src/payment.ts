import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { Payment } from './control.ts';

export type PayoutData = CommandData['withdraw.payout'];

const TEXTS = ['market', 'network', 'address', 'memo'] as const;

/** @returns how a payment differs from its command; undefined if it does not */
export function findDifference(payment: Payment, payout: PayoutData): string | undefined {
  const field = TEXTS.find((name) => payment[name] !== payout[name]);
  if (field) return `${field} "${payment[field]}" instead of "${payout[field]}"`;
  return isAmount(payment.amount, payout.amount) ? undefined : `${payment.amount} instead of ${payout.amount}`;
}

/** Whether a text is an amount, in any of its forms such as 1 and 1.0. */
export const isAmount = (text: string, amount: string): boolean =>
  /^\d+(\.\d+)?$/.test(text) && new Decimal(text).eq(amount);
