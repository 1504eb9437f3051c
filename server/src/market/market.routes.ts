import type { HandlersOf } from '../resources.ts';
import { listMarketNames, listMarkets } from './market.store.ts';

export const marketRoutes: HandlersOf<'market'> = { list: listMarkets, filter: (ctx) => listMarketNames(ctx) };
