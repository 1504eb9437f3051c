import type { Module } from '../../module.ts';
import { answerOrder } from '../../../gateway/order-command.store.ts';
import { listFills } from './spot-fill.store.ts';
import { prefetchOrders, spotEvents } from './spot.events.ts';
import { spotCancel, spotCancelAll, spotDetail, spotPreview } from './spot.service.ts';
import { listSpotOrders, openSpotOrders, spotOrders, lastSpotOrders } from './spot.store.ts';

export const spotModule = {
  routes: {
    list: listSpotOrders,
    detail: spotDetail,
    fills: listFills,
    cancel: spotCancel,
    cancelMany: { each: spotCancel },
    preview: spotPreview,
    cancelAll: spotCancelAll,
  },
  events: spotEvents,
  prefetch: prefetchOrders,
  answers: { 'order.cancel': answerOrder(spotOrders, 'trade.cancelFailed') },
  search: { type: 'trade', table: 'trade_order' },
  openItems: openSpotOrders,
  userTables: [{ table: 'trade_order' }, { table: 'trade_fill' }],
  lastOfUser: { trades: lastSpotOrders },
} satisfies Module<'trade'>;
