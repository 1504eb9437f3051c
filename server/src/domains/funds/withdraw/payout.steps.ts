import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, refuseState, requireFound } from '../../../app/refuse.ts';
import { refusals } from '@hengtai/contract/wire/refusals';
import { enqueue } from '../../../gateway/command.store.ts';
import { hasUnexplained } from './payout-statement.store.ts';
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
  // After the move, whose lock decides whether a payment is reported before or after it.
  if (await hasUnexplained(db, target.id)) throw new PayoutRefused(refuse(refusals.unexplainedPayment), 'unexplained');
  await requireNoObstacle(db, target, now);
  const signed = await signOrder(db, order);
  const after = await find();
  await enqueue(db, payoutCommand(target, signed, now), reviewedCommand(after, now));
  return after;
}
