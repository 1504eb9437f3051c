import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import { BINARY_CONTRACT, BINARY_CONTRACT_RESULT, BINARY_CONTRACT_SIDE } from '@hengtai/contract/binary-contract';
import { Decimal } from '@hengtai/contract/decimal';
import { type HoldOwner, frozenOf, activeOf, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';

/** The profit if it wins: what a customer receives is rounded down to what the settlement asset is counted in. */
export const payoutOf = (amount: string, rate: string, precision: number): string =>
  new Decimal(amount).mul(rate).div(100).toDecimalPlaces(precision, Decimal.ROUND_DOWN).toFixed();

/** More decimals than the settlement asset is counted in. */
export const isFiner = (amount: string, precision: number): boolean => new Decimal(amount).decimalPlaces() > precision;

/** A highest stake of 0 means none. */
export function outsideStake(
  amount: string,
  { minAmount, maxAmount }: { minAmount: string; maxAmount: string },
): 'min' | 'max' | undefined {
  if (new Decimal(amount).lt(minAmount)) return 'min';
  return new Decimal(maxAmount).gt(0) && new Decimal(amount).gt(maxAmount) ? 'max' : undefined;
}

/** What a contract's outcome follows from. */
export interface Terms {
  side: number;
  amount: string;
  payout: string;
  openAt: number;
  settleAt: number;
  tolerance: number;
}

export interface Tick {
  id: number;
  price: string;
  /** Unix milliseconds. */
  at: number;
}

export interface Outcome {
  state: number;
  type: number;
  profit: string | null;
  openTick: number | null;
  closeTick: number | null;
}

/**
 * The rule once more, for checks: the settlement itself is done by the database (`settle_seconds`) and shares no
 * code with this.
 *
 * @param open the market's first tick at or after openAt
 * @param close its first tick at or after settleAt
 */
export function outcomeOf(terms: Terms, open: Tick | undefined, close: Tick | undefined): Outcome {
  const waits = { state: BINARY_CONTRACT.open, type: BINARY_CONTRACT_RESULT.none, profit: null, closeTick: null };
  if (open === undefined) return { ...waits, openTick: null };
  if (open.at - terms.openAt > terms.tolerance) return { ...waits, state: BINARY_CONTRACT.voided, openTick: null };
  if (close === undefined) return { ...waits, openTick: open.id };
  if (close.at - terms.settleAt > terms.tolerance)
    return { ...waits, state: BINARY_CONTRACT.voided, openTick: open.id };
  const moved = new Decimal(close.price).cmp(open.price);
  const ticks = { state: BINARY_CONTRACT.settled, openTick: open.id, closeTick: close.id };
  if (moved === 0) return { ...ticks, type: BINARY_CONTRACT_RESULT.draw, profit: '0' };
  const rose = moved > 0;
  const won = rose === (terms.side === BINARY_CONTRACT_SIDE.up);
  return won
    ? { ...ticks, type: BINARY_CONTRACT_RESULT.win, profit: new Decimal(terms.payout).toFixed() }
    : { ...ticks, type: BINARY_CONTRACT_RESULT.lose, profit: new Decimal(terms.amount).neg().toFixed() };
}

/** What the ledger needs to know of a contract. */
export interface BinaryContractMoney {
  userId: number;
  agentId: number;
  /** The settlement asset's market: stakes and profits are in it. */
  usdtId: number;
  amount: string;
  payout: string;
}

export const holdOwner = ({ userId, agentId, usdtId }: BinaryContractMoney): HoldOwner => ({
  user: { id: userId, agentId },
  marketId: usdtId,
  platform: PLATFORM.second,
});

/** All of the stake is the user's to use again. */
export const refundLegs = (money: BinaryContractMoney): Leg[] => [
  unfreezeLeg(holdOwner(money), money.amount, ENTRY.secondVoid),
];

/** A profit comes from the trading account, a loss goes there; what is not lost is the user's again. */
export function settleLegs(money: BinaryContractMoney, type: number): Leg[] {
  const owner = holdOwner(money);
  const why = { debitType: ENTRY.secondSettle, creditType: ENTRY.secondSettle };
  const house = { house: 'trading', stripe: money.userId, marketId: money.usdtId } as const;
  if (type === BINARY_CONTRACT_RESULT.lose)
    return [{ debit: frozenOf(owner), credit: house, amount: money.amount, ...why }];
  const back = unfreezeLeg(owner, money.amount, ENTRY.secondSettle);
  if (type === BINARY_CONTRACT_RESULT.draw || new Decimal(money.payout).isZero()) return [back];
  return [back, { debit: house, credit: activeOf(owner), amount: money.payout, ...why }];
}
