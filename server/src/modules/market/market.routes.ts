import type { HandlersOf } from '../../resources.ts';
import { marketAffected, marketCandles, marketDetail, marketSave } from './market.service.ts';
import { listMarketNames, listMarkets } from './market.store.ts';

export const marketRoutes: HandlersOf<'market'> = {
  list: listMarkets,
  filter: (ctx) => listMarketNames(ctx),
  detail: marketDetail,
  affected: marketAffected,
  candles: marketCandles,
  save: marketSave,
};
