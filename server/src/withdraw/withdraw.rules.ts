import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import { refusals } from '@hengtai/contract/refusals';
import { WITHDRAW, type WithdrawAction, withdrawCan } from '@hengtai/contract/withdraw';
import { Decimal } from '@hengtai/contract/decimal';
import type { AccountName } from '../ledger/account.ts';
import { type HoldOwner, activeOf, frozenOf, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';

/** The states in which an action is open; the one approved pass finds the withdrawal waiting for just that. */
export const openStates = (name: WithdrawAction, approved: boolean): readonly number[] =>
  name === 'pass' && approved ? [WITHDRAW.second] : withdrawCan[name];

/** Whether payouts of the user wait because an operator reset its password. */
export const isHeld = (until: number | null | undefined, now: number): until is number =>
  typeof until === 'number' && until > now;

/** Why a payout waits, and for how long. */
export const heldText = (until: number, now: number): string =>
  `${refusals.payoutHeld.msg}，还有 ${Math.ceil((until - now) / 3_600_000)} 小时`;

/** What the ledger needs to know of a withdrawal. */
export interface WithdrawMoney {
  id: number;
  userId: number;
  agentId: number;
  marketId: number;
  amount: string;
  fee: string;
  received: string;
}

/** Which of the market's limits a request breaks, if any; a highest amount of 0 means none. */
export function beyondLimits(
  market: { withdrawMin: string; withdrawMax: string },
  { amount, fee }: { amount: string; fee: string },
): 'min' | 'max' | 'fee' | undefined {
  const asked = new Decimal(amount);
  if (asked.lt(market.withdrawMin)) return 'min';
  if (new Decimal(market.withdrawMax).gt(0) && asked.gt(market.withdrawMax)) return 'max';
  return new Decimal(fee).gte(amount) ? 'fee' : undefined;
}

export const holdOwner = (withdraw: WithdrawMoney): HoldOwner => ({
  user: { id: withdraw.userId, agentId: withdraw.agentId },
  marketId: withdraw.marketId,
  platform: PLATFORM.fund,
});

/**
 * Paid: what the customer receives leaves through custody, the fee becomes ours. received = amount - fee, both exact, so
 * nothing is rounded.
 */
export const paidLegs = (withdraw: WithdrawMoney): Leg[] => payLegs(withdraw, frozenOf(holdOwner(withdraw)));

/** Paid before this installation kept the book: nothing is frozen, so it goes straight from what the user has. */
export const importedLegs = (withdraw: WithdrawMoney): Leg[] => payLegs(withdraw, activeOf(holdOwner(withdraw)));

function payLegs(withdraw: WithdrawMoney, source: AccountName): Leg[] {
  const house = { stripe: withdraw.userId, marketId: withdraw.marketId };
  const legs: Leg[] = [
    {
      debit: source,
      credit: { house: 'custody', ...house },
      amount: withdraw.received,
      debitType: ENTRY.withdraw,
      creditType: ENTRY.withdraw,
    },
  ];
  if (!new Decimal(withdraw.fee).isZero()) {
    legs.push({
      debit: source,
      credit: { house: 'fee', ...house },
      amount: withdraw.fee,
      debitType: ENTRY.fee,
      creditType: ENTRY.fee,
    });
  }
  return legs;
}

/** Rejected or cancelled: the whole amount is the user's to use again. */
export const rejectedLegs = (withdraw: WithdrawMoney): Leg[] => [unfreezeLeg(holdOwner(withdraw), withdraw.amount)];

/** Given back after the wallet failed. */
export const refundedLegs = (withdraw: WithdrawMoney): Leg[] => [
  unfreezeLeg(holdOwner(withdraw), withdraw.amount, ENTRY.withdrawReturned),
];
