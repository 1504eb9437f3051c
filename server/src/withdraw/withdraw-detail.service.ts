import { refusals } from '@hengtai/contract/refusals';
import { type WithdrawAction, type WithdrawState, withdrawCan } from '@hengtai/contract/withdraw';
import type { WithdrawDetail, WithdrawId } from '@hengtai/contract/withdraw.schema';
import { needsChecker } from '../approval/policy.store.ts';
import type { App, Ctx } from '../context.ts';
import { previewLegs } from '../ledger/preview.ts';
import { refuse } from '../refuse.ts';
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
import { findWithdraw, listWithdraws } from './withdraw.store.ts';

/** Actions whose policy can require a checker. */
const REVIEWED_BY_CHECKER = ['pass', 'retry', 'refund', 'resolve'] as const;

/**
 * Everything that an operator needs to review a withdrawal, with the ledger entries that each decision would post.
 *
 * @throws Refused 404 for a withdrawal outside the operator's scope
 */
export async function withdrawDetail(ctx: Ctx, { id }: WithdrawId, app: App): Promise<WithdrawDetail> {
  const found = await findWithdraw(ctx, id);
  const user = found && (await findCustomer(ctx, found.userId));
  if (!found || !user) throw refuse(refusals.notFound);
  const { agentId: _agentId, payoutHeldUntil: _until, ...row } = found;
  const recent = await listWithdraws(ctx, { userId: found.userId, page: 1, size: 11 });
  const open = await findOpenApproval(ctx, id);
  const holds = ([...withdrawCan.reject, 2, 3, 7, 8] as WithdrawState[]).includes(found.state as WithdrawState);
  const seconds: WithdrawAction[] = [];
  for (const action of REVIEWED_BY_CHECKER) {
    const question = {
      policy: `withdraw.${action}`,
      operatorId: ctx.operator.id,
      userId: found.userId,
      amount: found.valuation,
      now: ctx.now,
    };
    if (await needsChecker(ctx.db, question)) seconds.push(action);
  }
  return {
    row,
    user,
    // Read with full scope, as on the request: an address shared with a user of another tree is a risk too.
    risk: await findRisks(app.system, id, ctx.now),
    deposits: await findDeposits(ctx, found.userId),
    recharges: await findRecharges(ctx, found.userId),
    withdraws: recent.list.filter((other) => other.id !== id).slice(0, 10),
    addresses: await findAddresses(ctx, found.userId),
    credentials: await findCredentials(ctx, found.userId),
    limit: await findLimit(ctx, id),
    payoutHold: await findPayoutHold(ctx, found),
    preview: {
      pass: holds ? await previewLegs(ctx.db, paidLegs(found)) : [],
      reject: holds ? await previewLegs(ctx.db, rejectedLegs(found)) : [],
    },
    approval: { needed: seconds.includes('pass'), seconds, amount: found.valuation, ...open },
  };
}
