import { marketTypes } from '@hengtai/contract/trading/market/type';
import type { PriceProtectionView } from './price-protection-row.ts';

export const marketText = (row: Pick<PriceProtectionView, 'marketName' | 'marketType'>): string =>
  `${row.marketName} ${marketTypes[row.marketType]}`;

/** Parses whole minutes; undefined unless they are between 1 and 1440. */
export function parseMinutes(text: string): number | undefined {
  const minutes = Number(text);
  return /^\d{1,4}$/.test(text) && minutes >= 1 && minutes <= 1_440 ? minutes : undefined;
}
