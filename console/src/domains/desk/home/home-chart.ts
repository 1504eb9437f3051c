import { home } from '@hengtai/contract/desk/home/calls';
import { useRead } from '../../../api/hooks.ts';
import { usePageActive } from '../../../navigation/page-route.ts';
import { useChartRefetchMs } from './chart-refetch.ts';

/** Loads the chart data of the last thirty days, more often while history is imported. */
export function useHomeChart() {
  const active = usePageActive();
  const refetchMs = useChartRefetchMs();
  return useRead(home.chart, {}, { refetchMs: active && refetchMs });
}

export type HomeChartQuery = ReturnType<typeof useHomeChart>;
