import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import { Decimal } from '@hengtai/contract/decimal';
import { type HoldOwner, activeOf, frozenOf, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';
import type { FollowedSignal } from '../signal/signal.store.ts';
import type { EventFollow } from './follow.store.ts';

/** Whose stake it is: USDT of the futures account. */
export const stakeOwner = ({
  userId,
  agentId,
  coinId,
}: Pick<EventFollow, 'userId' | 'agentId' | 'coinId'>): HoldOwner => ({
  user: { id: userId, agentId },
  marketId: coinId,
  platform: PLATFORM.future,
});

/** Why a signal cannot be followed with so much at a moment; undefined where it can. */
export function findFollowError(
  signal: FollowedSignal,
  amount: string,
  at: number,
): 'closed' | 'min' | 'max' | undefined {
  if (signal.state !== 1 || !signal.open || at < signal.startAt || at >= signal.endAt) return 'closed';
  if (new Decimal(amount).lt(signal.minAmount)) return 'min';
  return new Decimal(amount).gt(signal.maxAmount) ? 'max' : undefined;
}

/** Nobody loses more than the stake; a platform that says otherwise is not believed. */
export const isBeyondStake = ({ amount }: Pick<EventFollow, 'amount'>, profit: string): boolean =>
  new Decimal(profit).plus(amount).lt(0);

/**
 * The stake comes back with what came of it: a profit from the trading account, a loss to it out of the stake. The amounts are
 * the platform's own, so nothing is rounded.
 */
export function closeLegs(follow: EventFollow, profit: string): Leg[] {
  const owner = stakeOwner(follow);
  const trading = { house: 'trading', stripe: follow.userId, marketId: follow.coinId } as const;
  const type = ENTRY.follow;
  const made = new Decimal(profit);
  const lost = Decimal.max(made.neg(), 0);
  const legs: Leg[] = [
    unfreezeLeg(owner, new Decimal(follow.amount).minus(lost).toFixed(), type),
    { debit: frozenOf(owner), credit: trading, amount: lost.toFixed(), debitType: type, creditType: type },
    {
      debit: trading,
      credit: activeOf(owner),
      amount: Decimal.max(made, 0).toFixed(),
      debitType: type,
      creditType: type,
    },
  ];
  return legs.filter(({ amount }) => !new Decimal(amount).isZero());
}
