import type { HandlersOf } from '../../resources.ts';
import { homeChart } from './home-chart.service.ts';
import { homeTrading } from './home-trading.service.ts';
import { homeState } from './home.store.ts';

export const homeRoutes: HandlersOf<'home'> = { state: homeState, chart: homeChart, trading: homeTrading };
