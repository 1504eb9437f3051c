import type { Module } from '../module.ts';
import { withdrawDetail } from './withdraw-detail.service.ts';
import { answerPayout, withdrawEvents } from './withdraw.events.ts';
import { withdrawPass, withdrawRefund, withdrawReject, withdrawResolve, withdrawRetry } from './withdraw.service.ts';
import { openWithdraws, listWithdraws } from './withdraw.store.ts';

export const withdrawModule = {
  routes: {
    list: listWithdraws,
    detail: withdrawDetail,
    pass: withdrawPass,
    reject: withdrawReject,
    retry: withdrawRetry,
    refund: withdrawRefund,
    resolve: withdrawResolve,
    passMany: { each: withdrawPass },
    rejectMany: { each: withdrawReject },
  },
  events: withdrawEvents,
  answers: { 'withdraw.payout': answerPayout },
  openItems: openWithdraws,
  userTables: [{ table: 'withdraw' }],
  search: { type: 'withdraw', table: 'withdraw', detail: 'x.address' },
} satisfies Module<'withdraw'>;
