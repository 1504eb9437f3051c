import { CLOSE_TYPE, FUTURE, FUTURE_SIDE } from '@hengtai/contract/future';
import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import { Decimal } from '@hengtai/contract/decimal';
import { reject } from '../gateway/rejected.ts';
import type { AccountName } from '../ledger/account.ts';
import { type HoldOwner, activeOf, frozenOf, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';

/** Decimals that the book keeps. */
const BOOK = 18;

/** A position as events need it, from the order to its end. */
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
  closing: string | null;
  state: number;
}

/** What of a charge is borne by whom: the account's active money, the position's margin, the insurance account. */
export interface Borne {
  active: string;
  margin: string;
  insured: string;
}

export interface CloseAsked {
  amount: string;
  price: string;
  fee: string;
  closeType: number;
}

/** What one close makes of its position and of the book. */
export interface CloseEffect {
  realized: string;
  /** The margin that this part had. */
  released: string;
  /** What the position holds afterwards, and what leaves its hold. */
  held: string;
  taken: string;
  /** The part of what leaves it that goes back to the user. */
  back: string;
  profit: string;
  /** A loss, from margin and from insurance. */
  loss: Borne;
  fee: Borne;
  closing: string | null;
  state: number;
}

/** A charge is taken from active money first, then from the margin; what neither has is the insurance account's. */
export function borneBy(amount: string, active: string, held: string): Borne {
  const fromActive = Decimal.min(amount, active);
  const fromMargin = Decimal.min(new Decimal(amount).minus(fromActive), held);
  return {
    active: fromActive.toFixed(),
    margin: fromMargin.toFixed(),
    insured: new Decimal(amount).minus(fromActive).minus(fromMargin).toFixed(),
  };
}

/** What closing an amount wins (below zero: loses), rounded down to what the book keeps, so that nothing is invented. */
export function profitOf(side: number, amount: string, openPrice: string, price: string): string {
  const move = side === FUTURE_SIDE.long ? new Decimal(price).minus(openPrice) : new Decimal(openPrice).minus(price);
  return move.mul(amount).toDecimalPlaces(BOOK, Decimal.ROUND_FLOOR).toFixed();
}

/**
 * What a close means. Its part of the margin is released pro rata, rounded down, and all of it with the last part; a loss
 * comes out of that part, then out of the rest of the margin, and beyond the margin out of the insurance account: never
 * out of what the user has beside the position. The fee is a charge as any other.
 *
 * @param active what the user has free on the futures account
 * @throws Rejected when more is closed than is open
 */
export function closeEffect(
  position: Position,
  { amount, price, fee, closeType }: CloseAsked,
  active: string,
): CloseEffect {
  const open = restOf(position);
  if (new Decimal(amount).gt(open)) throw reject('beyond');
  const last = new Decimal(amount).eq(open);
  const held = new Decimal(position.held);
  const released = last ? held : held.mul(amount).div(open).toDecimalPlaces(BOOK, Decimal.ROUND_DOWN);
  const realized = profitOf(position.side, amount, position.openPrice ?? '0', price);
  const [profit, loss] = [Decimal.max(realized, 0), Decimal.max(new Decimal(realized).neg(), 0)];
  const lost = Decimal.min(loss, held);
  const back = Decimal.max(released.minus(lost), 0);
  const kept = held.minus(lost).minus(back);
  const paid = borneBy(fee, new Decimal(active).plus(back).plus(profit).toFixed(), kept.toFixed());
  const left = kept.minus(paid.margin);
  return {
    realized,
    released: released.toFixed(),
    held: left.toFixed(),
    taken: held.minus(left).toFixed(),
    back: back.toFixed(),
    profit: profit.toFixed(),
    loss: { active: '0', margin: lost.toFixed(), insured: loss.minus(lost).toFixed() },
    fee: paid,
    ...stateAfter(position, amount, closeType),
  };
}

/** A close that was ordered is under way until as much is closed as was ordered, or nothing is left. */
function stateAfter(position: Position, amount: string, closeType: number): { state: number; closing: string | null } {
  const left = new Decimal(restOf(position)).minus(amount);
  if (left.isZero())
    return { state: closeType === CLOSE_TYPE.liquidation ? FUTURE.liquidated : FUTURE.closed, closing: null };
  if (position.closing === null) return { state: position.state, closing: null };
  const ordered =
    closeType === CLOSE_TYPE.operator ? new Decimal(position.closing).minus(amount) : new Decimal(position.closing);
  if (ordered.lte(0)) return { state: FUTURE.open, closing: null };
  return { state: FUTURE.closing, closing: Decimal.min(ordered, left).toFixed() };
}

export const restOf = ({ amount, closeAmount }: Pick<Position, 'amount' | 'closeAmount'>): string =>
  new Decimal(amount).minus(closeAmount).toFixed();

/** Whose money a position holds. */
export const holdOwner = (position: Pick<Position, 'userId' | 'agentId' | 'usdtId'>): HoldOwner => ({
  user: { id: position.userId, agentId: position.agentId },
  marketId: position.usdtId,
  platform: PLATFORM.future,
});

type House = Extract<AccountName, { house: string }>['house'];
type Entry = (typeof ENTRY)[keyof typeof ENTRY];
type Owned = Pick<Position, 'userId' | 'agentId' | 'usdtId'>;

const houseOf = (position: Owned, house: House): AccountName => ({
  house,
  stripe: position.userId,
  marketId: position.usdtId,
});
const leg = (debit: AccountName, credit: AccountName, amount: string, type: Entry): Leg => ({
  debit,
  credit,
  amount,
  debitType: type,
  creditType: type,
});
const some = (legs: readonly Leg[]): Leg[] => legs.filter(({ amount }) => !new Decimal(amount).isZero());

/** A charge on its way to an account of the house, from the account that bears it. */
export function chargeLegs(position: Owned, { active, margin, insured }: Borne, to: House, type: Entry): Leg[] {
  const owner = holdOwner(position);
  return some([
    leg(activeOf(owner), houseOf(position, to), active, type),
    leg(frozenOf(owner), houseOf(position, to), margin, type),
    leg(houseOf(position, 'insurance'), houseOf(position, to), insured, type),
  ]);
}

/** Profit and loss against the trading account, the margin that comes back, and the fee. */
export function closeLegs(position: Owned, effect: CloseEffect, closeType: number): Leg[] {
  const owner = holdOwner(position);
  const type = closeType === CLOSE_TYPE.liquidation ? ENTRY.liquidation : ENTRY.futuresProfit;
  return [
    ...some([
      unfreezeLeg(owner, effect.back, ENTRY.margin),
      leg(houseOf(position, 'trading'), activeOf(owner), effect.profit, type),
    ]),
    ...chargeLegs(position, effect.loss, 'trading', type),
    ...chargeLegs(position, effect.fee, 'fee', ENTRY.fee),
  ];
}

export const fundingLegs = (position: Owned, amount: string): Leg[] => [
  leg(houseOf(position, 'trading'), activeOf(holdOwner(position)), amount, ENTRY.funding),
];

/** Every account that a charge or a close may touch, to be locked before it is decided who bears what. */
export const touched = (position: Owned): AccountName[] => {
  const owner = holdOwner(position);
  const house = (['trading', 'fee', 'insurance'] as const).map((name) => houseOf(position, name));
  return [activeOf(owner), frozenOf(owner), ...house];
};

/** A limit order is not opened at a price worse than its limit. */
export const isWorse = ({ side, price }: Pick<Position, 'side' | 'price'>, at: string): boolean =>
  price !== null && (side === FUTURE_SIDE.long ? new Decimal(at).gt(price) : new Decimal(at).lt(price));

/** To what the book keeps: of this average prices are made, and no money. */
export const timesOf = (amount: string, price: string): string =>
  new Decimal(amount).mul(price).toDecimalPlaces(BOOK, Decimal.ROUND_HALF_UP).toFixed();

/** In USDT, for policies. */
export const valueOf = timesOf;

export const isNothing = (amount: string): boolean => new Decimal(amount).isZero();
export const isLess = (amount: string, than: string): boolean => new Decimal(amount).lt(than);
export const lessBy = (amount: string, by: string): string => new Decimal(amount).minus(by).toFixed();
export const negated = (amount: string): string => new Decimal(amount).neg().toFixed();
