import type { Module } from '../../module.ts';
import { homeChart } from './home-chart.service.ts';
import { homeQueues } from './home-queue.store.ts';
import { homeTrading } from './home-trading.service.ts';
import { homeTrends } from './home-trend.service.ts';
import { homeState } from './home.store.ts';

export const homeModule = {
  routes: {
    state: homeState,
    chart: homeChart,
    trading: homeTrading,
    queues: homeQueues,
    trends: homeTrends,
  },
} satisfies Module<'home'>;
