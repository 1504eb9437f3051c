import type { PriceProtectionRow } from '@hengtai/contract/risk/price-protection/schema';
import type { PriceLine } from '../../../ui/chart/candle-option.ts';
import { isDecimal } from '../../../ui/value/decimal.ts';

type Band = { [F in 'minPrice' | 'maxPrice' | 'planPrice']: PriceProtectionRow[F] };

/** The price lines of the band for the candle chart. Empty and invalid prices are skipped. */
export const bandLines = ({ minPrice, maxPrice, planPrice }: Band): PriceLine[] =>
  [
    { name: '上限', price: maxPrice, tone: 'limit' as const },
    { name: '参考', price: planPrice, tone: 'quiet' as const },
    { name: '下限', price: minPrice, tone: 'limit' as const },
  ].flatMap(({ name, price, tone }) => (price !== null && isDecimal(price) ? [{ name, price, tone }] : []));
