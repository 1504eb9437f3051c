import { market } from '@hengtai/contract/market';
import { useMemo } from 'react';
import { useRead } from '../../../api/hooks.ts';

/** Options of the `marketId` filter: the coins by id. */
export function useMarketOptions() {
  const { data } = useRead(market.filter, {}, { staleTime: 600_000 });
  return useMemo(
    () => ({ marketId: data && Object.fromEntries(data.map(({ id, marketName }) => [id, marketName])) }),
    [data],
  );
}
