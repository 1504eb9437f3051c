import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { BINARY_CONTRACT_RESULT, BINARY_CONTRACT_SIDE } from '@hengtai/contract/trading/binary-contract/calls';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractConfigSettings } from '@hengtai/contract/trading/binary-contract/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { type HoldOwner, activeOf, frozenOf, ownerOf, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

/**
 * The profit of a win, rounded down to the decimals of the settlement asset.
 *
 * @param rate percent of the stake
 */
export const payoutOf = (amount: string, rate: string, precision: number): string =>
  new Decimal(amount).mul(rate).div(100).toDecimalPlaces(precision, Decimal.ROUND_DOWN).toFixed();

export const hasTooManyDecimals = (amount: string, precision: number): boolean =>
  new Decimal(amount).decimalPlaces() > precision;

/** The limit that a stake violates. A maximum of 0 means no maximum. */
export function findStakeError(
  amount: string,
  { minAmount, maxAmount }: { minAmount: string; maxAmount: string },
): 'min' | 'max' | undefined {
  if (new Decimal(amount).lt(minAmount)) return 'min';
  return new Decimal(maxAmount).gt(0) && new Decimal(amount).gt(maxAmount) ? 'max' : undefined;
}

type ConfigTerms = Pick<
  BinaryContractConfigSettings,
  'marketId' | 'seconds' | 'payoutRate' | 'minAmount' | 'maxAmount' | 'state'
>;

/** Whether a save of a setting does more than turn it off. A new one has nothing before. */
export const loosensConfig = (before: Omit<ConfigTerms, 'state'> | undefined, after: ConfigTerms): boolean =>
  !before ||
  after.state !== 0 ||
  after.marketId !== before.marketId ||
  after.seconds !== before.seconds ||
  (['payoutRate', 'minAmount', 'maxAmount'] as const).some((field) => !new Decimal(after[field]).eq(before[field]));

/** The terms that decide the outcome of a contract. Times and tolerance in milliseconds. */
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
 * Computes the outcome for checks and evidence. The settlement itself is the database function `settle_seconds`, which
 * shares no code with this, so that one verifies the other.
 *
 * @param open the market's first tick at or after openAt
 * @param close its first tick at or after settleAt
 */
export function computeOutcome(terms: Terms, open: Tick | undefined, close: Tick | undefined): Outcome {
  const running = { state: BINARY_CONTRACT.open, type: BINARY_CONTRACT_RESULT.none, profit: null, closeTick: null };
  if (open === undefined) return { ...running, openTick: null };
  if (open.at - terms.openAt > terms.tolerance) return { ...running, state: BINARY_CONTRACT.voided, openTick: null };
  if (close === undefined) return { ...running, openTick: open.id };
  if (close.at - terms.settleAt > terms.tolerance)
    return { ...running, state: BINARY_CONTRACT.voided, openTick: open.id };
  const direction = new Decimal(close.price).cmp(open.price);
  const ticks = { state: BINARY_CONTRACT.settled, openTick: open.id, closeTick: close.id };
  if (direction === 0) return { ...ticks, type: BINARY_CONTRACT_RESULT.draw, profit: '0' };
  const hasRisen = direction > 0;
  const hasWon = hasRisen === (terms.side === BINARY_CONTRACT_SIDE.up);
  return hasWon
    ? { ...ticks, type: BINARY_CONTRACT_RESULT.win, profit: new Decimal(terms.payout).toFixed() }
    : { ...ticks, type: BINARY_CONTRACT_RESULT.lose, profit: new Decimal(terms.amount).neg().toFixed() };
}

/** The fields of a contract that the ledger needs. */
export interface BinaryContractMoney {
  userId: number;
  agentId: number;
  /** The market of the settlement asset, in which stake and profit are paid. */
  usdtId: number;
  amount: string;
  payout: string;
}

export const holdOwner = (money: BinaryContractMoney): HoldOwner => ownerOf(money, money.usdtId, PLATFORM.second);

/** Returns the full stake to the user. */
export const refundLegs = (money: BinaryContractMoney): Leg[] => [
  unfreezeLeg(holdOwner(money), money.amount, ENTRY.secondVoid),
];

/** Books profit or loss against the trading account and returns a stake that is not lost. */
export function settleLegs(money: BinaryContractMoney, type: number): Leg[] {
  const owner = holdOwner(money);
  const house = { house: 'trading', stripe: money.userId, marketId: money.usdtId } as const;
  if (type === BINARY_CONTRACT_RESULT.lose) return [leg(frozenOf(owner), house, money.amount, ENTRY.secondSettle)];
  const refund = unfreezeLeg(owner, money.amount, ENTRY.secondSettle);
  if (type === BINARY_CONTRACT_RESULT.draw || new Decimal(money.payout).isZero()) return [refund];
  return [refund, leg(house, activeOf(owner), money.payout, ENTRY.secondSettle)];
}
