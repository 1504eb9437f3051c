import type { HandlersOf } from '../resources.ts';
import { tradeCancel, tradeCancelAll, tradeDetail, tradePreview } from './trade.service.ts';
import { listTrades } from './trade.store.ts';

export const tradeRoutes: HandlersOf<'trade'> = {
  list: listTrades,
  detail: tradeDetail,
  cancel: tradeCancel,
  cancelMany: { each: tradeCancel },
  preview: tradePreview,
  cancelAll: tradeCancelAll,
};
