import type { PriceProtectionRow } from '@hengtai/contract/price-protection.schema';
import type { PriceLine } from '../../ui/candle-option.ts';
import { isDecimal } from '../../ui/decimal.ts';

type Band = { [F in 'minPrice' | 'maxPrice' | 'planPrice']: PriceProtectionRow[F] };

/** The band as lines across the candles; what is not filled in yet is not drawn. */
export const bandLines = ({ minPrice, maxPrice, planPrice }: Band): PriceLine[] =>
  [
    { name: '上限', price: maxPrice, tone: 'limit' as const },
    { name: '参考', price: planPrice, tone: 'quiet' as const },
    { name: '下限', price: minPrice, tone: 'limit' as const },
  ].flatMap(({ name, price, tone }) => (price !== null && isDecimal(price) ? [{ name, price, tone }] : []));
