import { Decimal } from 'decimal.js';

/** Wide enough for 18 digits before and 18 behind the point. */
export const D = Decimal.clone({ precision: 40 });
export type Amount = Decimal;

/** Rounded down to the given decimals, written without exponent or trailing zeros. */
export const written = (value: Decimal.Value, decimals = 18): string =>
  new D(value).toDecimalPlaces(decimals, Decimal.ROUND_DOWN).toFixed();
