import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { Ctx } from '../../../app/context.ts';
import { refuseState, requireFound } from '../../../app/refuse.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { type PayoutOrder, PayoutRefused, requireNoObstacle, signOrder } from './payout-step.store.ts';
import { type DecidedWithdraw, type WithdrawMove, payoutCommand, reviewedCommand } from './withdraw.rules.ts';
import { findWithdraw, moveWithdraw } from './withdraw.store.ts';

/**
 * Orders a payout from the wallet, for operators and for the system. The caller has locked the user. After the move, which
 * locks the withdrawal, nothing can come in between.
 *
 * @returns the withdrawal afterwards
 * @throws PayoutRefused if it is no longer in the state, or a step forbids to pay it
 */
export async function orderPayout(
  ctx: Pick<Ctx, 'db' | 'scope'>,
  order: PayoutOrder,
  move: WithdrawMove,
): Promise<DecidedWithdraw> {
  const { db } = ctx;
  const { target, now } = order;
  const find = async () => requireFound(await findWithdraw(ctx, target.id));
  if (!(await moveWithdraw(db, target.id, move)))
    throw new PayoutRefused(refuseState(withdrawStates, await find()), 'state');
  await requireNoObstacle(db, target, now);
  const signed = await signOrder(db, order);
  const after = await find();
  await enqueue(db, payoutCommand(target, signed, now), reviewedCommand(after, now));
  return after;
}
