import type { Module } from '../../module.ts';
import { homeChart } from './home-chart.service.ts';
import { fetchHomeQueues } from './home-queue.store.ts';
import { homeTrading } from './home-trading.service.ts';
import { homeTrends } from './home-trend.service.ts';
import { fetchHomeState } from './home.store.ts';

export const homeModule = {
  routes: {
    state: fetchHomeState,
    chart: homeChart,
    trading: homeTrading,
    queues: fetchHomeQueues,
    trends: homeTrends,
  },
} satisfies Module<'home'>;
