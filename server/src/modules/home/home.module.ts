import type { Module } from '../module.ts';
import { homeChart } from './home-chart.service.ts';
import { homeTrading } from './home-trading.service.ts';
import { homeState } from './home.store.ts';

export const homeModule = {
  routes: {
    state: homeState,
    chart: homeChart,
    trading: homeTrading,
  },
} satisfies Module<'home'>;
