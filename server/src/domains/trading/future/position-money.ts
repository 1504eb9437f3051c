import { futureEventStates } from '@hengtai/contract/trading/future/calls';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import { settleCommands } from '../../../gateway/order-command.store.ts';
import { reject } from '../../../gateway/rejected.ts';
import type { Leg } from '../../../books/ledger/post.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { type ChargeSplit, type Position, accountsToLock, holdOwner, isZero, splitCharge } from './future.rules.ts';
import { futureOrders } from './future.store.ts';
import { positions } from './position.store.ts';

/** What all events of a position share: its lock, its charges and its postings. */

/**
 * Locks the position of an event.
 *
 * @param isDuplicate whether the number of the event's own record exists; reported before any other error
 * @throws Rejected for a duplicate, an unknown position, or a state in which the event is impossible
 */
export async function mustLock(
  { batch }: EventCtx,
  no: string,
  event: keyof typeof futureEventStates,
  isDuplicate?: () => Promise<boolean>,
  field = 'no',
): Promise<Position> {
  const position = await batch.lockRow(positions, no);
  const isPossible = position !== undefined && (futureEventStates[event] as readonly number[]).includes(position.state);
  if (!isPossible && (await isDuplicate?.())) throw reject('exists');
  if (!position) throw reject('unknown', field);
  if (!isPossible) throw reject('state');
  return position;
}

/** Locks and returns the active balance of the futures account. A demo position has no account and can always pay. */
export async function lockAvailable({ batch }: EventCtx, position: Position, charged: string): Promise<string> {
  if (position.demo === 1) return charged;
  const [active] = await batch.lockBalances(accountsToLock(position));
  return active ?? '0';
}

export async function charge(ctx: EventCtx, position: Position, amount: string): Promise<ChargeSplit> {
  if (isZero(amount)) return { active: '0', margin: '0', insured: '0' };
  return splitCharge(amount, await lockAvailable(ctx, position, amount), position.held);
}

/** Posts the legs and reduces the hold of the position by `holdReduction`. Demo positions move no money. */
export async function postLegs(
  ctx: EventCtx,
  position: Position,
  holdReduction: string,
  legs: readonly Leg[],
): Promise<void> {
  if (position.demo === 1) return;
  const nonZero = legs.filter(({ amount }) => !isZero(amount));
  if (nonZero.length === 0) return;
  const head = headOf(position, ctx);
  if (isZero(holdReduction)) await ctx.batch.post(head, nonZero);
  else await ctx.batch.release(head, holdOwner(position), holdReduction, nonZero);
}

/** Marks the commands of an operator as failed, because the engine was faster, and notifies. */
export async function failCommands(
  { db, at, now }: EventCtx,
  position: Position,
  detail: string,
  type: 'future.cancelFailed' | 'future.closeFailed',
): Promise<void> {
  await settleCommands(db, futureOrders, position.id, COMMAND.failed, detail, now);
  await recordNotification(db, { type, ...notificationRef(position), detail, at, now });
}

export const headOf = ({ id }: Position, { at, now }: EventCtx) => ({ refType: 'future', refId: id, at, now });
export const notificationRef = ({ id, userId, agentId }: Position) => ({
  refType: 'future',
  refId: id,
  userId,
  agentId,
});
