import type { IdInput } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { SIGNING_REQUIRED } from '@hengtai/contract/risk/signing/calls';
import {
  type WithdrawAction,
  type WithdrawState,
  payingActions,
  withdrawActionStates,
} from '@hengtai/contract/funds/withdraw/calls';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { findRecordApproval } from '../../../actions/approval.store.ts';
import { needsChecker, priceAgeOf } from '../../../actions/policy.store.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { previewLegs } from '../../../books/ledger/preview.ts';
import { refuse } from '../../../app/refuse.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { findQueueTarget } from '../../../realtime/waiting.store.ts';
import { findCustomer } from '../../people/user/customer.store.ts';
import { findDeposits } from '../../people/user/user-detail.store.ts';
import { findAddresses, findLimit, findPayoutHold } from './withdraw-detail.store.ts';
import { hasUnkeyed } from './key-backfill.store.ts';
import { fetchMoneyTimeline } from './money-timeline.store.ts';
import { fetchStatements } from './payout-statement.store.ts';
import { readPayoutDetails } from './payout-step.store.ts';
import { findRisks } from './withdraw-risk.store.ts';
import { paidLegs, rejectedLegs } from './withdraw.rules.ts';
import { decidedValue, withoutInternals } from './withdraw-value.rules.ts';
import { findWithdraw } from './withdraw.store.ts';

/** Actions whose policy can require a checker. */
const REVIEWED_BY_CHECKER = ['pass', 'retry', 'refund', 'resolve'] as const;

/**
 * Everything that an operator needs to review a withdrawal, with the ledger entries that each decision would post.
 *
 * @throws Refused 404 for a withdrawal outside the operator's scope
 */
export async function withdrawDetail(ctx: Ctx, { id }: IdInput, app: App): Promise<WithdrawDetail> {
  const withdrawal = await findWithdraw(ctx, id);
  const user = withdrawal && (await findCustomer(ctx, withdrawal.userId));
  if (!withdrawal || !user) throw refuse(refusals.notFound);
  const value = decidedValue(withdrawal);
  const hasHold = ([...withdrawActionStates.reject, 2, 3, 7, 8] as WithdrawState[]).includes(
    withdrawal.state as WithdrawState,
  );
  const signed = await isSettingOn(ctx.db, SIGNING_REQUIRED);
  const details = await readPayoutDetails(ctx, withdrawal);
  const checkedActions: WithdrawAction[] = [];
  for (const action of REVIEWED_BY_CHECKER) {
    const needed =
      (signed && payingActions.includes(action)) ||
      (action === 'pass' && (details.rules?.people ?? 0) > 1) ||
      (await needsChecker(ctx, `withdraw.${action}`, withdrawal.userId, value));
    if (needed) checkedActions.push(action);
  }
  return {
    row: withoutInternals(withdrawal),
    user,
    target: await findQueueTarget(ctx, 'withdrawReview'),
    // Read with full scope, as on the request: an address shared with a user of another tree is a risk too.
    risk: await findRisks(app.system, id, ctx.now),
    deposits: await findDeposits(ctx, withdrawal.userId),
    addresses: await findAddresses(ctx, withdrawal),
    keying: await hasUnkeyed(app.system, 'withdraw'),
    ...(await fetchMoneyTimeline(ctx, withdrawal.userId, id)),
    limit: await findLimit(ctx, id),
    payoutHold: await findPayoutHold(ctx, withdrawal),
    statements: await fetchStatements(ctx.db, id),
    ...details,
    value: { now: withdrawal.valueNow, ...(await priceAgeOf(ctx, value)) },
    preview: {
      pass: hasHold ? await previewLegs(ctx.db, paidLegs(withdrawal)) : [],
      reject: hasHold ? await previewLegs(ctx.db, rejectedLegs(withdrawal)) : [],
    },
    approval: {
      needed: checkedActions.includes('pass'),
      seconds: checkedActions,
      amount: value.amount,
      ...(await findRecordApproval(ctx, 'withdraw', { ...withdrawal, decidedAt: withdrawal.reviewedAt })),
    },
  };
}
