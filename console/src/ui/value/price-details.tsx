import type { ReactNode } from 'react';
import { PriceTime } from './PriceTime.tsx';

/** The line of a dialog about the price behind a value; none without a price, and for USDT. */
export const priceDetails = (
  price: { pricedAt: number | null; priceOld: boolean } | undefined,
): { label: string; value: ReactNode }[] =>
  price === undefined || price.pricedAt === null
    ? []
    : [{ label: '价格时间', value: <PriceTime value={price.pricedAt} old={price.priceOld} /> }];
