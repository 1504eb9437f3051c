import { ENTRY, PLATFORM } from '@hengtai/contract/money';
import { ORDER_TYPE, SIDE, SPOT } from '@hengtai/contract/spot';
import { Decimal } from '@hengtai/contract/decimal';
import { reject } from '../gateway/rejected.ts';
import { type HoldOwner, activeOf, frozenOf, unfreezeLeg } from '../ledger/hold.ts';
import type { Leg } from '../ledger/post.ts';

/** Decimals that the book keeps. */
const BOOK = 18;

/** What an order asks for and what became of it, as far as money goes. */
export interface OrderMoney {
  id: number;
  userId: number;
  agentId: number;
  marketId: number;
  /** The settlement asset's market. */
  usdtId: number;
  amountPrecision: number;
  side: number;
  type: number;
  price: string | null;
  amount: string | null;
  funds: string | null;
  filled: string;
  frozen: string;
  turnover: string;
  state: number;
}

export interface Fill {
  price: string;
  amount: string;
  fee: string;
}

/** What one fill does to its order and to the book. */
export interface FillEffect {
  filled: string;
  /** USDT of this fill. */
  turnover: string;
  /** What the order holds afterwards. */
  frozen: string;
  /** What leaves its hold, and the part of that which goes back to the user. */
  taken: string;
  back: string;
  state: number;
}

export type Asked = Pick<OrderMoney, 'side' | 'price' | 'amount' | 'funds'>;

/** Frozen when it is placed: a purchase never has to ask for more later, so price times amount is rounded up. */
export function frozenAtFirst({ side, price, amount, funds }: Asked): string {
  if (side === SIDE.sell) return amount ?? '0';
  return (
    funds ??
    new Decimal(price ?? 0)
      .mul(amount ?? 0)
      .toDecimalPlaces(BOOK, Decimal.ROUND_UP)
      .toFixed()
  );
}

/** A limit order names price and amount, a market order that buys its funds, one that sells its amount. */
export function findFormError({ side, type, price, amount, funds }: Asked & { type: number }): string | undefined {
  const wanted = { price: type === ORDER_TYPE.limit, funds: type === ORDER_TYPE.market && side === SIDE.buy };
  if ((price !== null) !== wanted.price) return 'price';
  if ((funds !== null) !== wanted.funds) return 'funds';
  return (amount === null) === wanted.funds ? undefined : 'amount';
}

/** More decimals than its market trades in; the first field that has them. */
export function finerThan(
  asked: Pick<Asked, 'price' | 'amount'>,
  precision: { price: number; amount: number },
): string | undefined {
  if (asked.price !== null && new Decimal(asked.price).decimalPlaces() > precision.price) return 'price';
  return asked.amount !== null && new Decimal(asked.amount).decimalPlaces() > precision.amount ? 'amount' : undefined;
}

/**
 * What a fill means. USDT of a fill is price times amount rounded down to what the book keeps, so that the fills of an
 * order never come to more than it froze; what is better than the limit goes back to the user with the fill.
 *
 * @throws Rejected when it goes beyond the order, is worse than its limit, or its fee is more than what is received
 */
export function effectOf(order: OrderMoney, fill: Fill): FillEffect {
  const price = new Decimal(fill.price);
  if (order.price !== null && (order.side === SIDE.buy ? price.gt(order.price) : price.lt(order.price)))
    throw reject('price');
  const filled = new Decimal(order.filled).plus(fill.amount);
  if (order.amount !== null && filled.gt(order.amount)) throw reject('beyond');
  const turnover = price.mul(fill.amount).toDecimalPlaces(BOOK, Decimal.ROUND_DOWN);
  if (new Decimal(fill.fee).gt(order.side === SIDE.buy ? fill.amount : turnover)) throw reject('fee');
  const held = new Decimal(order.frozen);
  const left = leftAfter(order, fill, filled, held, turnover);
  if (left.isNegative()) throw reject('beyond');
  // Of a purchase for funds nothing is left to do when the rest does not buy the smallest amount.
  const done =
    order.amount === null ? left.lt(price.mul(new Decimal(10).pow(-order.amountPrecision))) : filled.eq(order.amount);
  const frozen = done ? new Decimal(0) : left;
  const taken = held.minus(frozen);
  const spent = order.side === SIDE.buy ? turnover : new Decimal(fill.amount);
  return {
    filled: filled.toFixed(),
    turnover: turnover.toFixed(),
    frozen: frozen.toFixed(),
    taken: taken.toFixed(),
    back: taken.minus(spent).toFixed(),
    state: done ? SPOT.filled : order.state === SPOT.cancelling ? SPOT.cancelling : SPOT.partial,
  };
}

function leftAfter(order: OrderMoney, fill: Fill, filled: Decimal, held: Decimal, turnover: Decimal): Decimal {
  if (order.side === SIDE.sell) return held.minus(fill.amount);
  if (order.amount === null) return held.minus(turnover);
  return new Decimal(order.amount)
    .minus(filled)
    .mul(order.price ?? 0)
    .toDecimalPlaces(BOOK, Decimal.ROUND_UP);
}

/** Whose money an order holds: USDT of a purchase, the coin of a sale. */
export const holdOwner = (
  order: Pick<OrderMoney, 'userId' | 'agentId' | 'side' | 'usdtId' | 'marketId'>,
): HoldOwner => ({
  user: { id: order.userId, agentId: order.agentId },
  marketId: order.side === SIDE.buy ? order.usdtId : order.marketId,
  platform: PLATFORM.spot,
});

/** Both sides against the trading account, the fee out of what is received, and back what the order needs no more. */
export function fillLegs(order: OrderMoney, fill: Fill, effect: FillEffect): Leg[] {
  const buys = order.side === SIDE.buy;
  const type = buys ? ENTRY.spotBuy : ENTRY.spotSell;
  const gives = holdOwner(order);
  const gets = { ...gives, marketId: buys ? order.marketId : order.usdtId };
  const house = (marketId: number) => ({ house: 'trading', stripe: order.userId, marketId }) as const;
  const legs: Leg[] = [
    {
      debit: frozenOf(gives),
      credit: house(gives.marketId),
      amount: buys ? effect.turnover : fill.amount,
      debitType: type,
      creditType: type,
    },
    {
      debit: house(gets.marketId),
      credit: activeOf(gets),
      amount: buys ? fill.amount : effect.turnover,
      debitType: type,
      creditType: type,
    },
    {
      debit: activeOf(gets),
      credit: { house: 'fee', stripe: order.userId, marketId: gets.marketId },
      amount: fill.fee,
      debitType: ENTRY.fee,
      creditType: ENTRY.fee,
    },
    unfreezeLeg(gives, effect.back),
  ];
  return legs.filter(({ amount }) => !new Decimal(amount).isZero());
}

export const isNothing = (amount: string): boolean => new Decimal(amount).isZero();
