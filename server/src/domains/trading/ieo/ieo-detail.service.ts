import type { IdInput } from '@hengtai/contract/wire/schema';
import { ieoActionStates } from '@hengtai/contract/trading/ieo/calls';
import type { IeoDetail } from '@hengtai/contract/trading/ieo/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { needsChecker, valueInUsdt } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { previewLegs } from '../../../books/ledger/preview.ts';
import { refuse } from '../../../app/refuse.ts';
import { findQueueTarget } from '../../../realtime/waiting.store.ts';
import { fetchLastLogins } from '../../people/user/user-detail.store.ts';
import { fetchTimelineNotes } from '../../people/user/user-note.store.ts';
import { findRecordApproval } from '../../../actions/approval.store.ts';
import { findCustomer } from '../../people/user/customer.store.ts';
import { findBalances, findTerms, findTotals } from './ieo-detail.store.ts';
import { passedLegs, refundLegs } from './ieo.rules.ts';
import { rowOf } from './ieo.service.ts';
import { findIeo, fetchOtherIeos } from './ieo.store.ts';

const OTHERS_MAX = 10;

/** Everything needed to review one subscription, with a preview of the ledger entries of both decisions. */
export async function ieoDetail(ctx: Ctx, { id }: IdInput): Promise<IeoDetail> {
  const ieo = await findIeo(ctx, id);
  const user = ieo && (await findCustomer(ctx, ieo.userId));
  if (!ieo || !user) throw refuse(refusals.notFound);
  const isWaiting = ieoActionStates.pass.some((state) => state === ieo.state);
  return {
    row: rowOf(ieo),
    user,
    target: await findQueueTarget(ctx, 'ieoReview'),
    ...(await findTerms(ctx, ieo)),
    balances: await findBalances(ctx, ieo),
    totals: await findTotals(ctx, ieo),
    others: await fetchOtherIeos(ctx, ieo, OTHERS_MAX),
    logins: await fetchLastLogins(ctx, ieo.userId, OTHERS_MAX),
    notes: await fetchTimelineNotes(ctx, ieo.userId, OTHERS_MAX),
    preview: {
      pass: isWaiting ? await previewLegs(ctx.db, passedLegs(ieo)) : [],
      reject: isWaiting ? await previewLegs(ctx.db, refundLegs(ieo)) : [],
    },
    approval: {
      needed: await needsChecker(ctx, 'ieo.pass', ieo.userId, valueInUsdt(ieo.pay)),
      ...(await findRecordApproval(ctx, 'ieo', { ...ieo, decidedAt: ieo.reviewedAt })),
    },
  };
}
