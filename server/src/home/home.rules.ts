import { Decimal } from '@hengtai/contract/decimal';
import type { Flow } from './home-flow.store.ts';

export const written = (amount: Decimal): string => (amount.isZero() ? '0' : amount.toFixed());

export const amountOf = (flows: readonly Flow[]): Decimal =>
  flows.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));

/** To the cent, once for the whole sum; what has no price is no part of it. */
const cents = (values: readonly (string | null)[]): string =>
  written(values.reduce((sum, value) => sum.plus(value ?? 0), new Decimal(0)).toDecimalPlaces(2));

export const centsOf = (flows: readonly Flow[], kind: Flow['kind']): string =>
  cents(flows.flatMap((flow) => (flow.kind === kind ? [flow.value] : [])));

export const netCentsOf = (flows: readonly Flow[]): string =>
  cents(flows.map(({ kind, value }) => (kind === 'withdraw' && value !== null ? `-${value}` : value)));

export const less = (amount: string, other: string): string => written(new Decimal(amount).minus(other));
