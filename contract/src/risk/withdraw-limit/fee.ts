import { Decimal } from '../../values/decimal.ts';
import type { EffectiveTerms } from './schema.ts';

/** Fees are rounded down to the precision of amounts of the coin. */
export interface FeeBasis {
  amount: string;
  /** Fee of the network, if the terms have no fixed one. */
  networkFee: string;
  amountPrecision: number;
}

/** The fee of a withdrawal by its terms; null if they say nothing about it, so that the platform sets it. */
export function withdrawFeeOf(
  { feeFixed, feeRate }: Pick<EffectiveTerms, 'feeFixed' | 'feeRate'>,
  { amount, networkFee, amountPrecision }: FeeBasis,
): string | null {
  if (feeFixed === null && feeRate === null) return null;
  const share = new Decimal(amount).mul(feeRate ?? '0').toDecimalPlaces(amountPrecision, Decimal.ROUND_DOWN);
  return share.plus(feeFixed ?? networkFee).toFixed();
}
