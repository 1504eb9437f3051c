import { No } from '@hengtai/contract/gateway/fields.schema';
import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import { Strict } from '@hengtai/contract/wire/schema';
import { requireFound } from '../../../app/refuse.ts';
import { platformCall } from '../../../gateway/handlers.ts';
import type { Module } from '../../module.ts';
import { keepRejected } from './payout-statement.steps.ts';
import { recallPayouts } from './withdraw-recall.steps.ts';
import { withdrawDetail } from './withdraw-detail.service.ts';
import { watchPaying } from './payout-bound.jobs.ts';
import { backfillKeys } from './withdraw.jobs.ts';
import { answerPayout, withdrawEvents } from './withdraw.events.ts';
import {
  withdrawPass,
  withdrawRecall,
  withdrawRefund,
  withdrawReject,
  withdrawResolve,
  withdrawRetry,
} from './withdraw.service.ts';
import { listWithdraws, openWithdraws, readPlatformWithdraw, lastWithdraws } from './withdraw.store.ts';
import { withdrawWaiting } from './withdraw-waiting.store.ts';

export const withdrawModule = {
  routes: {
    list: listWithdraws,
    detail: withdrawDetail,
    pass: withdrawPass,
    reject: withdrawReject,
    retry: withdrawRetry,
    recall: withdrawRecall,
    refund: withdrawRefund,
    resolve: withdrawResolve,
    passMany: { each: withdrawPass },
    resolveMany: { each: withdrawResolve },
    rejectMany: { each: withdrawReject },
  },
  events: withdrawEvents,
  keepRejected,
  platformCalls: [
    platformCall(
      {
        method: 'GET',
        path: '/withdrawals',
        right: 'reads',
        summary: 'Returns a withdrawal by its number',
        input: Strict({ no: No }),
        output: platformReads.withdrawal,
      },
      async (app, { no }, { id }) => requireFound(await readPlatformWithdraw(app.system, id, no)),
    ),
  ],
  answers: { 'withdraw.payout': answerPayout },
  openItems: openWithdraws,
  userTables: [{ table: 'withdraw' }],
  userChanges: { frozen: (ctx, { id }) => recallPayouts(ctx, id) },
  search: { type: 'withdraw', table: 'withdraw', addressColumn: 'x.address' },
  waiting: withdrawWaiting,
  jobs: [
    { name: 'destination-keys', everyMs: 10_000, run: backfillKeys },
    { name: 'payout-bound', everyMs: 5_000, run: watchPaying },
  ],
  lastOfUser: { withdraws: lastWithdraws },
} satisfies Module<'withdraw'>;
