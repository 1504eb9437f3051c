import { Decimal } from '@hengtai/contract/values/decimal';
import type { Flow } from './home-flow.store.ts';

/** Decimal string without exponent; never `-0`. */
export const formatAmount = (amount: Decimal): string => (amount.isZero() ? '0' : amount.toFixed());

export const sumAmounts = (flows: readonly Flow[]): Decimal =>
  flows.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));

/** Sums values in USDT and rounds the sum to cents. Flows without a price do not count. */
const roundSum = (values: readonly (string | null)[]): string =>
  formatAmount(values.reduce((sum, value) => sum.plus(value ?? 0), new Decimal(0)).toDecimalPlaces(2));

export const sumCents = (flows: readonly Flow[], kind: Flow['kind']): string =>
  roundSum(flows.flatMap((flow) => (flow.kind === kind ? [flow.value] : [])));

export const sumNetCents = (flows: readonly Flow[]): string =>
  roundSum(flows.map(({ kind, value }) => (kind === 'withdraw' && value !== null ? `-${value}` : value)));

export const subtract = (amount: string, other: string): string => formatAmount(new Decimal(amount).minus(other));
