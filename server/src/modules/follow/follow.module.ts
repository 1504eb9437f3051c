import type { Module } from '../module.ts';
import { answerFollowClose, followEvents } from './follow.events.ts';
import { followClose, followDetail } from './follow.service.ts';
import { openFollows, listFollows } from './follow.store.ts';

export const followModule = {
  routes: {
    list: listFollows,
    detail: followDetail,
    close: followClose,
    closeMany: { each: followClose },
  },
  events: followEvents,
  answers: { 'follow.close': answerFollowClose },
  search: { type: 'follow', table: 'follow' },
  openItems: openFollows,
  userTables: [{ table: 'follow' }],
} satisfies Module<'follow'>;
