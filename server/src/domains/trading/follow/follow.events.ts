import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { followEventStates } from '@hengtai/contract/trading/follow/calls';
import { FOLLOW } from '@hengtai/contract/trading/follow/facts';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { MARKET_TYPE } from '@hengtai/contract/trading/market/type';
import { ENTRY, SETTLEMENT } from '@hengtai/contract/values/money';
import { settleCommands } from '../../../gateway/order-command.store.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { isFrozen, mustFindUser } from '../../../gateway/lookup.store.ts';
import { hasMarket } from '../../../gateway/platform-scope.ts';
import { reject } from '../../../gateway/rejected.ts';
import { isHalted } from '../market/market.store.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { lockSignal } from '../signal/signal.store.ts';
import { closeLegs, findFollowError, isBeyondStake, stakeOwner } from './follow.rules.ts';
import { endFollow, followOrders, insertFollow, lockFollow } from './follow.store.ts';

type FollowEvent = 'follow.opened' | 'follow.closed';

export const followEvents: EventHandlers<FollowEvent> = {
  'follow.opened': open,

  /** Ends a follow, no matter whether the user, the platform or an operator requested it. */
  'follow.closed': async ({ batch, db, at, now }, { no, profit }) => {
    const follow = await lockFollow(db, no);
    if (!follow || !(await batch.owns(follow.userId))) throw reject('unknown', 'no');
    if (!(followEventStates.closed as readonly number[]).includes(follow.state)) throw reject('state');
    if (isBeyondStake(follow, profit)) throw reject('beyondStake');
    if (!(await endFollow(db, follow.id, profit, at, now))) throw reject('state');
    const head = { refType: 'follow', refId: follow.id, at, now };
    await batch.release(head, stakeOwner(follow), follow.amount, closeLegs(follow, profit));
    if (follow.state !== FOLLOW.ending) return;
    await settleCommands(db, followOrders, follow.id, COMMAND.done, '', now);
    await recordNotification(db, {
      type: 'follow.closed',
      refType: 'follow',
      refId: follow.id,
      ...ownerOf(follow),
      at,
      now,
    });
  },
};

async function open({ batch, db, at, now }: EventCtx, data: EventData['follow.opened']): Promise<void> {
  const { no, amount, auto = false } = data;
  const user = await mustFindUser(batch, data.account);
  const signal = await lockSignal(db, data.signal, SETTLEMENT);
  if (!hasMarket(batch.scope, signal.marketName)) throw reject('unknown', 'signal');
  if (isFrozen(user)) throw reject('frozen');
  // The switch `ai` is the consent of the user to automatic follows; manual ones only need trading.
  if (user.trade !== 1 || (auto && user.ai !== 1)) throw reject('forbidden');
  const error = findFollowError(signal, amount, at);
  if (error) throw reject(error);
  if (await isHalted(db, signal.marketId, MARKET_TYPE.future)) throw reject('halted');
  const { marketId, coinId } = signal;
  const row = { no, userId: user.id, agentId: user.agentId, signalId: signal.id, marketId, coinId, amount };
  const id = await insertFollow(db, { ...row, auto: auto ? 1 : 0, createdAt: at, now });
  if (id === undefined) throw reject('exists');
  await batch.freeze({ refType: 'follow', refId: id, at, now }, stakeOwner(row), amount, ENTRY.follow);
}

const ownerOf = ({ userId, agentId }: { userId: number; agentId: number }) => ({ userId, agentId });
