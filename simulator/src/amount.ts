import { Decimal, type DecimalValue } from '@hengtai/contract/values/decimal';
import type { Random } from './random.ts';

export const D = Decimal;
export type Amount = Decimal;

/** Formats a decimal string without exponent or trailing zeros, rounded down to `decimals`. */
export const formatAmount = (value: DecimalValue, decimals = 18): string =>
  new D(value).toDecimalPlaces(decimals, Decimal.ROUND_DOWN).toFixed();

const LUCKY = [
  66, 88, 166, 188, 288, 520, 588, 666, 688, 888, 1_666, 1_688, 1_888, 2_888, 5_888, 6_666, 6_888, 8_888, 16_888,
  18_888, 66_666, 88_888,
];

/** Rounds to an amount that people choose: a round number, sometimes a lucky one. */
export function roundNaturally(value: number, dice: Random): number {
  if (dice.chance(0.07))
    return LUCKY.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best));
  const size = 10 ** Math.max(Math.floor(Math.log10(Math.max(value, 10))), 1);
  const step = dice.weighted([[size, 2] as const, [size / 2, 4] as const, [size / 10, 4] as const]);
  return Math.max(Math.round(value / step) * step, step);
}
