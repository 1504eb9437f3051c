import type { IdInput } from '@hengtai/contract/schema';
import { refusals } from '@hengtai/contract/refusals';
import { type WithdrawAction, type WithdrawState, withdrawActionStates } from '@hengtai/contract/withdraw';
import type { WithdrawDetail } from '@hengtai/contract/withdraw.schema';
import { needsChecker } from '../../actions/policy.store.ts';
import type { App, Ctx } from '../../core/context.ts';
import { previewLegs } from '../../ledger/preview.ts';
import { refuse } from '../../core/refuse.ts';
import { findQueueTarget } from '../config/config.store.ts';
import { lastLogins } from '../user/user-detail.store.ts';
import { timelineNotes } from '../user/user-note.store.ts';
import {
  findAddresses,
  findCredentials,
  findCustomer,
  findDeposits,
  findLimit,
  findOpenApproval,
  findPayoutHold,
  findRecharges,
} from './withdraw-detail.store.ts';
import { findRisks } from './withdraw-risk.store.ts';
import { paidLegs, rejectedLegs } from './withdraw.rules.ts';
import { findWithdraw, lastWithdraws } from './withdraw.store.ts';

const RECENT = 10;

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
  const { agentId: _agentId, payoutHeldUntil: _until, ...row } = withdrawal;
  const recent = await lastWithdraws(ctx, withdrawal.userId, RECENT + 1);
  const open = await findOpenApproval(ctx, id);
  const hasHold = ([...withdrawActionStates.reject, 2, 3, 7, 8] as WithdrawState[]).includes(
    withdrawal.state as WithdrawState,
  );
  const checkedActions: WithdrawAction[] = [];
  for (const action of REVIEWED_BY_CHECKER) {
    const question = {
      policy: `withdraw.${action}`,
      operatorId: ctx.operator.id,
      userId: withdrawal.userId,
      amount: withdrawal.valuation,
      now: ctx.now,
    };
    if (await needsChecker(ctx.db, question)) checkedActions.push(action);
  }
  return {
    row,
    user,
    target: await findQueueTarget(ctx, 'withdrawReview'),
    // Read with full scope, as on the request: an address shared with a user of another tree is a risk too.
    risk: await findRisks(app.system, id, ctx.now),
    deposits: await findDeposits(ctx, withdrawal.userId),
    recharges: await findRecharges(ctx, withdrawal.userId),
    withdraws: recent.filter((other) => other.id !== id).slice(0, RECENT),
    addresses: await findAddresses(ctx, withdrawal.userId),
    credentials: await findCredentials(ctx, withdrawal.userId),
    logins: await lastLogins(ctx, withdrawal.userId, RECENT),
    notes: await timelineNotes(ctx, withdrawal.userId, RECENT),
    limit: await findLimit(ctx, id),
    payoutHold: await findPayoutHold(ctx, withdrawal),
    preview: {
      pass: hasHold ? await previewLegs(ctx.db, paidLegs(withdrawal)) : [],
      reject: hasHold ? await previewLegs(ctx.db, rejectedLegs(withdrawal)) : [],
    },
    approval: {
      needed: checkedActions.includes('pass'),
      seconds: checkedActions,
      amount: withdrawal.valuation,
      ...open,
    },
  };
}
