import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { Decimal } from '@hengtai/contract/values/decimal';
import { type HoldOwner, activeOf, frozenOf, ownerOf, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';
import type { FollowedSignal } from '../signal/signal.store.ts';
import type { EventFollow } from './follow.store.ts';

/** The owner and account of the stake: USDT of the futures account. */
export const stakeOwner = (follow: Pick<EventFollow, 'userId' | 'agentId' | 'coinId'>): HoldOwner =>
  ownerOf(follow, follow.coinId, PLATFORM.future);

/** Why a signal cannot be followed with this amount at this time, or undefined. */
export function findFollowError(
  signal: FollowedSignal,
  amount: string,
  at: number,
): 'closed' | 'min' | 'max' | undefined {
  if (signal.state !== 1 || !signal.isOpen || at < signal.startAt || at >= signal.endAt) return 'closed';
  if (new Decimal(amount).lt(signal.minAmount)) return 'min';
  return new Decimal(amount).gt(signal.maxAmount) ? 'max' : undefined;
}

/** Whether a loss exceeds the stake. */
export const isBeyondStake = ({ amount }: Pick<EventFollow, 'amount'>, profit: string): boolean =>
  new Decimal(profit).plus(amount).lt(0);

/**
 * The legs of an end: the stake returns, a profit comes from the trading account, a loss goes there from the stake. The
 * amounts are those of the platform, so nothing is rounded.
 */
export function closeLegs(follow: EventFollow, profit: string): Leg[] {
  const owner = stakeOwner(follow);
  const trading = { house: 'trading', stripe: follow.userId, marketId: follow.coinId } as const;
  const type = ENTRY.follow;
  const result = new Decimal(profit);
  const loss = Decimal.max(result.neg(), 0);
  const legs: Leg[] = [
    unfreezeLeg(owner, new Decimal(follow.amount).minus(loss).toFixed(), type),
    leg(frozenOf(owner), trading, loss.toFixed(), type),
    leg(trading, activeOf(owner), Decimal.max(result, 0).toFixed(), type),
  ];
  return legs.filter(({ amount }) => !new Decimal(amount).isZero());
}
