import { CLOSE_TYPE, FUTURE_SIDE } from '@hengtai/contract/trading/future/calls';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { Decimal } from '@hengtai/contract/values/decimal';
import { reject } from '../../../gateway/rejected.ts';
import type { AccountName } from '../../../books/ledger/account.ts';
import { type HoldOwner, activeOf, frozenOf, ownerOf, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

/** Decimals of ledger amounts. */
const LEDGER_DECIMALS = 18;

/** The fields of a position that events need. */
export interface Position {
  id: number;
  no: string;
  userId: number;
  agentId: number;
  marketId: number;
  /** The settlement asset's market. */
  usdtId: number;
  demo: number;
  side: number;
  leverage: number;
  price: string | null;
  amount: string;
  closeAmount: string;
  openPrice: string | null;
  margin: string;
  held: string;
  /** The part of the order that waits while another part is open, and its margin. */
  unopened: string;
  pendingMargin: string;
  /** Openings, if there are several. */
  parts: number;
  closing: string | null;
  state: number;
}

/** How a charge is split between the active balance, the margin of the position and the insurance account. */
export interface ChargeSplit {
  active: string;
  margin: string;
  insured: string;
}

export interface CloseRequest {
  amount: string;
  price: string;
  fee: string;
  closeType: number;
}

/** The result of one close for its position and the ledger; amounts are decimal strings in USDT. */
export interface CloseEffect {
  realized: string;
  /** The share of the margin that belongs to the closed amount. */
  released: string;
  /** The hold of the position afterwards. */
  held: string;
  /** How much the hold shrinks. */
  holdReduction: string;
  /** The part of the reduction that returns to the user. */
  refund: string;
  profit: string;
  /** The loss, paid by margin and insurance. */
  loss: ChargeSplit;
  fee: ChargeSplit;
  closing: string | null;
  state: number;
}

/** Takes a charge from the active balance first, then from the margin; the insurance account pays the rest. */
export function splitCharge(amount: string, active: string, held: string): ChargeSplit {
  const fromActive = Decimal.min(amount, active);
  const fromMargin = Decimal.min(new Decimal(amount).minus(fromActive), held);
  return {
    active: fromActive.toFixed(),
    margin: fromMargin.toFixed(),
    insured: new Decimal(amount).minus(fromActive).minus(fromMargin).toFixed(),
  };
}

/** The profit of closing an amount, negative for a loss. Rounded down, so that rounding never creates money. */
export function profitOf(side: number, amount: string, openPrice: string, price: string): string {
  const move = side === FUTURE_SIDE.long ? new Decimal(price).minus(openPrice) : new Decimal(openPrice).minus(price);
  return move.mul(amount).toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_FLOOR).toFixed();
}

/**
 * Computes a close. The margin is released pro rata, rounded down; the last close releases all of it. A loss is paid from
 * the released share, then from the remaining margin, then from the insurance account, never from the active balance of the
 * user. The fee is split like any other charge.
 *
 * @param active the active balance of the futures account
 * @throws Rejected if the amount exceeds the open amount
 */
export function computeClose(
  position: Position,
  { amount, price, fee, closeType }: CloseRequest,
  active: string,
): CloseEffect {
  const open = openAmountOf(position);
  if (new Decimal(amount).gt(open)) throw reject('beyondOrder');
  const isLast = new Decimal(amount).eq(open);
  const held = new Decimal(position.held);
  const released = isLast ? held : held.mul(amount).div(open).toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_DOWN);
  const realized = profitOf(position.side, amount, position.openPrice ?? '0', price);
  const [profit, loss] = [Decimal.max(realized, 0), Decimal.max(new Decimal(realized).neg(), 0)];
  const lossFromMargin = Decimal.min(loss, held);
  const refund = Decimal.max(released.minus(lossFromMargin), 0);
  const heldBeforeFee = held.minus(lossFromMargin).minus(refund);
  const feeSplit = splitCharge(fee, new Decimal(active).plus(refund).plus(profit).toFixed(), heldBeforeFee.toFixed());
  const heldAfter = heldBeforeFee.minus(feeSplit.margin);
  return {
    realized,
    released: released.toFixed(),
    held: heldAfter.toFixed(),
    holdReduction: held.minus(heldAfter).toFixed(),
    refund: refund.toFixed(),
    profit: profit.toFixed(),
    loss: { active: '0', margin: lossFromMargin.toFixed(), insured: loss.minus(lossFromMargin).toFixed() },
    fee: feeSplit,
    ...nextState(position, amount, closeType),
  };
}

/** A commanded close stays in progress until the commanded amount is closed or nothing is open. */
function nextState(position: Position, amount: string, closeType: number): { state: number; closing: string | null } {
  const left = new Decimal(openAmountOf(position)).minus(amount);
  if (left.isZero())
    return { state: closeType === CLOSE_TYPE.liquidation ? FUTURE.liquidated : FUTURE.closed, closing: null };
  if (position.closing === null) return { state: position.state, closing: null };
  const stillOrdered =
    closeType === CLOSE_TYPE.operator ? new Decimal(position.closing).minus(amount) : new Decimal(position.closing);
  if (stillOrdered.lte(0)) return { state: FUTURE.open, closing: null };
  return { state: FUTURE.closing, closing: Decimal.min(stillOrdered, left).toFixed() };
}

export const openAmountOf = ({ amount, closeAmount }: Pick<Position, 'amount' | 'closeAmount'>): string =>
  new Decimal(amount).minus(closeAmount).toFixed();

/** The owner and account of the margin that a position holds. */
export const holdOwner = (position: PositionOwner): HoldOwner => ownerOf(position, position.usdtId, PLATFORM.future);

type HouseName = Extract<AccountName, { house: string }>['house'];
type EntryType = (typeof ENTRY)[keyof typeof ENTRY];
type PositionOwner = Pick<Position, 'userId' | 'agentId' | 'usdtId'>;

const houseOf = (position: PositionOwner, house: HouseName): AccountName => ({
  house,
  stripe: position.userId,
  marketId: position.usdtId,
});
const omitZeros = (legs: readonly Leg[]): Leg[] => legs.filter(({ amount }) => !new Decimal(amount).isZero());

/** The legs of a charge: from each payer of the split to a house account. */
export function chargeLegs(
  position: PositionOwner,
  { active, margin, insured }: ChargeSplit,
  to: HouseName,
  type: EntryType,
): Leg[] {
  const owner = holdOwner(position);
  return omitZeros([
    leg(activeOf(owner), houseOf(position, to), active, type),
    leg(frozenOf(owner), houseOf(position, to), margin, type),
    leg(houseOf(position, 'insurance'), houseOf(position, to), insured, type),
  ]);
}

/** The legs of a close: refund of margin, profit or loss against the trading account, fee. */
export function closeLegs(position: PositionOwner, effect: CloseEffect, closeType: number): Leg[] {
  const owner = holdOwner(position);
  const type = closeType === CLOSE_TYPE.liquidation ? ENTRY.liquidation : ENTRY.futuresProfit;
  return [
    ...omitZeros([
      unfreezeLeg(owner, effect.refund, ENTRY.margin),
      leg(houseOf(position, 'trading'), activeOf(owner), effect.profit, type),
    ]),
    ...chargeLegs(position, effect.loss, 'trading', type),
    ...chargeLegs(position, effect.fee, 'fee', ENTRY.fee),
  ];
}

export const fundingLegs = (position: PositionOwner, amount: string): Leg[] => [
  leg(houseOf(position, 'trading'), activeOf(holdOwner(position)), amount, ENTRY.funding),
];

/** Every account that a charge or close may change. They are locked before the charge is split by their balances. */
export const accountsToLock = (position: PositionOwner): AccountName[] => {
  const owner = holdOwner(position);
  const houses = (['trading', 'fee', 'insurance'] as const).map((name) => houseOf(position, name));
  return [activeOf(owner), frozenOf(owner), ...houses];
};

/** Whether a price is worse than the limit of the order. */
export const isBeyondLimit = ({ side, price }: Pick<Position, 'side' | 'price'>, at: string): boolean =>
  price !== null && (side === FUTURE_SIDE.long ? new Decimal(at).gt(price) : new Decimal(at).lt(price));

/** Price times amount, rounded to 18 decimals. For averages and estimates only, never for posted amounts. */
export const multiply = (amount: string, price: string): string =>
  new Decimal(amount).mul(price).toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_HALF_UP).toFixed();

/** The notional value in USDT, for approval policies. */
export const notionalOf = multiply;

export const isZero = (amount: string): boolean => new Decimal(amount).isZero();
export const isLess = (amount: string, than: string): boolean => new Decimal(amount).lt(than);
export const subtract = (amount: string, by: string): string => new Decimal(amount).minus(by).toFixed();
export const negate = (amount: string): string => new Decimal(amount).neg().toFixed();
