import { home } from '@hengtai/contract/desk/home/calls';
import { useRead } from '../../../api/hooks.ts';
import { usePageActive } from '../../../navigation/page-route.ts';
import { useChartPace } from './chart-pace.ts';

/** Loads the chart data of the last thirty days, more often while history is imported. */
export function useHomeChart() {
  const active = usePageActive();
  const every = useChartPace();
  return useRead(home.chart, {}, { every: active && every });
}

export type HomeChartQuery = ReturnType<typeof useHomeChart>;
