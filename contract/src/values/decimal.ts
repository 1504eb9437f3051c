import { Decimal as Base } from 'decimal.js';

/**
 * The project's only decimal arithmetic for money. Two amounts of numeric(36,18) have a product of at most 72 digits, so 80
 * digits hold their sums, differences and products exactly. The exponent limits keep `toString` from using exponents.
 */
export const Decimal = Base.clone({
  precision: 80,
  rounding: Base.ROUND_HALF_UP,
  toExpNeg: -80,
  toExpPos: 80,
  defaults: true,
});
export type Decimal = Base;

/** Values that `new Decimal` accepts. */
export type DecimalValue = Base.Value;
