import { installation } from '@hengtai/contract/desk/installation/calls';
import { useRead } from '../../../api/hooks.ts';

const REFETCH_MS = 60_000;
const IMPORTING_MS = 5_000;

/** Refresh interval of the charts in milliseconds. It is shorter while the platform imports history. */
export function useChartRefetchMs(): number {
  // The import banner loads this query; here it is only read from the cache.
  const { data } = useRead(installation.state, {}, { enabled: false });
  return data?.importing ? IMPORTING_MS : REFETCH_MS;
}
