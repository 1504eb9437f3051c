import type { Module } from '../../module.ts';
import { listCloses } from './future-close.store.ts';
import { futureAccountRisk, futureExposure, futureHeat } from './future-risk.service.ts';
import { answerOrder } from '../../../gateway/order-command.store.ts';
import { futureEvents, prefetchPositions } from './future.events.ts';
import { futureCancel, futureCancelAll, futureCancelPreview, futureClose, futureDetail } from './future.service.ts';
import { futureOrders, openFutures, listEndedFutures, listFutures, lastFutures } from './future.store.ts';

export const futureModule = {
  routes: {
    list: listFutures,
    openHistory: listEndedFutures,
    closeHistory: listCloses,
    detail: futureDetail,
    cancel: futureCancel,
    cancelMany: { each: futureCancel },
    close: futureClose,
    closeMany: { each: futureClose },
    expectInfo: futureAccountRisk,
    exposure: futureExposure,
    heat: futureHeat,
    cancelPreview: futureCancelPreview,
    cancelAll: futureCancelAll,
  },
  events: futureEvents,
  prefetch: prefetchPositions,
  answers: {
    'position.cancel': answerOrder(futureOrders, 'future.cancelFailed'),
    'position.close': answerOrder(futureOrders, 'future.closeFailed'),
  },
  search: { type: 'future', table: 'future_order' },
  openItems: openFutures,
  userTables: [
    { table: 'future_order' },
    { table: 'future_open' },
    { table: 'future_close' },
    { table: 'future_funding' },
  ],
  lastOfUser: { futures: lastFutures },
} satisfies Module<'future'>;
