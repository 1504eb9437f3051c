import { market } from '@hengtai/contract/trading/market/calls';
import { useMemo } from 'react';
import { useRead } from '../api/hooks.ts';

/** Options of the `marketId` filter: the coins by id. */
export function useMarketOptions(isNeeded = true) {
  const { data } = useRead(market.filter, {}, { enabled: isNeeded, staleTime: 600_000 });
  return useMemo(
    () => ({ marketId: data && Object.fromEntries(data.map(({ id, marketName }) => [id, marketName])) }),
    [data],
  );
}
