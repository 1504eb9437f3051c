import type { Module } from '../../module.ts';
import { answerOrder } from '../../../gateway/order-command.store.ts';
import { followEvents } from './follow.events.ts';
import { followClose, followDetail } from './follow.service.ts';
import { followOrders, openFollows, listFollows, lastFollows } from './follow.store.ts';

export const followModule = {
  routes: {
    list: listFollows,
    detail: followDetail,
    close: followClose,
    closeMany: { each: followClose },
  },
  events: followEvents,
  answers: { 'follow.close': answerOrder(followOrders, 'follow.closeFailed') },
  search: { type: 'follow', table: 'follow' },
  openItems: openFollows,
  userTables: [{ table: 'follow' }],
  lastOfUser: { follows: lastFollows },
} satisfies Module<'follow'>;
