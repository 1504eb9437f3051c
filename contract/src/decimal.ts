import { Decimal as Base } from 'decimal.js';

/**
 * Decimal arithmetic for money, the only one in the project. Two amounts of numeric(36,18) have a product of at most 72
 * digits, so 80 digits hold every sum, difference and product that is made of them exactly. The exponent limits keep
 * `toString` from writing such numbers in exponent form.
 */
export const Decimal = Base.clone({
  precision: 80,
  rounding: Base.ROUND_HALF_UP,
  toExpNeg: -80,
  toExpPos: 80,
  defaults: true,
});
export type Decimal = Base;

/** What a `Decimal` can be made from. */
export type DecimalValue = Base.Value;
