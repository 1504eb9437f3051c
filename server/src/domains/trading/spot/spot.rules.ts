import { ENTRY, PLATFORM } from '@hengtai/contract/values/money';
import { SPOT_SIDE } from '@hengtai/contract/trading/spot/calls';
import { ORDER_TYPE, SPOT } from '@hengtai/contract/trading/spot/facts';
import { Decimal } from '@hengtai/contract/values/decimal';
import { reject } from '../../../gateway/rejected.ts';
import { type HoldOwner, activeOf, frozenOf, ownerOf, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { type Leg, leg } from '../../../books/ledger/post.ts';

/** Decimals of ledger amounts. */
const LEDGER_DECIMALS = 18;

/** The fields of an order that decide about money. Amounts are decimal strings. */
export interface OrderMoney {
  id: number;
  userId: number;
  agentId: number;
  /** What is bought or sold, and what it is paid in. */
  coinId: number;
  quoteId: number;
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
  /** Negative: paid to the user. */
  fee: string;
  /** The coin of the fee; null for the received one. */
  feeMarketId: number | null;
}

/** The result of one fill for its order and the ledger. */
export interface FillEffect {
  filled: string;
  /** Price times amount of this fill, in the quote. */
  turnover: string;
  /** The hold of the order afterwards. */
  frozen: string;
  /** How much the hold shrinks. */
  holdReduction: string;
  /** The part of the reduction that returns to the user. */
  refund: string;
  state: number;
}

export type OrderRequest = Pick<OrderMoney, 'side' | 'price' | 'amount' | 'funds'>;

/** The amount to freeze for a new order. Price times amount is rounded up, so that the fills never need more. */
export function computeInitialHold({ side, price, amount, funds }: OrderRequest): string {
  if (side === SPOT_SIDE.sell) return amount ?? '0';
  return (
    funds ??
    new Decimal(price ?? 0)
      .mul(amount ?? 0)
      .toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_UP)
      .toFixed()
  );
}

/** The first field that is missing or not allowed. A limit order has price and amount, a market buy funds, a market sale amount. */
export function findFormError({
  side,
  type,
  price,
  amount,
  funds,
}: OrderRequest & { type: number }): string | undefined {
  const required = { price: type === ORDER_TYPE.limit, funds: type === ORDER_TYPE.market && side === SPOT_SIDE.buy };
  if ((price !== null) !== required.price) return 'price';
  if ((funds !== null) !== required.funds) return 'funds';
  return (amount === null) === required.funds ? undefined : 'amount';
}

/** The first field with more decimals than its market allows. */
export function findPrecisionError(
  request: Pick<OrderRequest, 'price' | 'amount'>,
  precision: { price: number; amount: number },
): string | undefined {
  const { price, amount } = request;
  if (price !== null && new Decimal(price).decimalPlaces() > precision.price) return 'price';
  return amount !== null && new Decimal(amount).decimalPlaces() > precision.amount ? 'amount' : undefined;
}

/** The limit that an amount violates. A maximum of 0 means no maximum; a purchase for funds has no amount to check. */
export function findLimitError(
  market: { minAmount: string; maxAmount: string },
  amount: string | null,
): 'min' | 'max' | undefined {
  if (amount === null) return undefined;
  if (new Decimal(amount).lt(market.minAmount)) return 'min';
  return new Decimal(market.maxAmount).gt(0) && new Decimal(amount).gt(market.maxAmount) ? 'max' : undefined;
}

/**
 * Computes a fill. The turnover is rounded down to 18 decimals, so that the fills of an order never exceed its hold. The
 * saving of a price better than the limit is refunded with the fill.
 *
 * @throws Rejected if the fill exceeds the order, its price is worse than the limit, or its fee or rebate in the received
 * coin exceeds the received amount
 */
export function computeFill(order: OrderMoney, fill: Fill): FillEffect {
  const price = new Decimal(fill.price);
  if (order.price !== null && (order.side === SPOT_SIDE.buy ? price.gt(order.price) : price.lt(order.price)))
    throw reject('beyondLimit');
  const filled = new Decimal(order.filled).plus(fill.amount);
  if (order.amount !== null && filled.gt(order.amount)) throw reject('beyondOrder');
  const turnover = price.mul(fill.amount).toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_DOWN);
  const received = order.side === SPOT_SIDE.buy ? new Decimal(fill.amount) : turnover;
  if (fill.feeMarketId === null && new Decimal(fill.fee).abs().gt(received)) throw reject('fee');
  const held = new Decimal(order.frozen);
  const left = computeRemainingHold(order, fill, filled, held, turnover);
  if (left.isNegative()) throw reject('beyondOrder');
  // A purchase for funds is filled when the remaining funds do not buy the smallest amount.
  const isFilled =
    order.amount === null ? left.lt(price.mul(new Decimal(10).pow(-order.amountPrecision))) : filled.eq(order.amount);
  const frozen = isFilled ? new Decimal(0) : left;
  const holdReduction = held.minus(frozen);
  const spent = order.side === SPOT_SIDE.buy ? turnover : new Decimal(fill.amount);
  return {
    filled: filled.toFixed(),
    turnover: turnover.toFixed(),
    frozen: frozen.toFixed(),
    holdReduction: holdReduction.toFixed(),
    refund: holdReduction.minus(spent).toFixed(),
    state: isFilled ? SPOT.filled : order.state === SPOT.cancelling ? SPOT.cancelling : SPOT.partial,
  };
}

function computeRemainingHold(
  order: OrderMoney,
  fill: Fill,
  filled: Decimal,
  held: Decimal,
  turnover: Decimal,
): Decimal {
  if (order.side === SPOT_SIDE.sell) return held.minus(fill.amount);
  if (order.amount === null) return held.minus(turnover);
  return new Decimal(order.amount)
    .minus(filled)
    .mul(order.price ?? 0)
    .toDecimalPlaces(LEDGER_DECIMALS, Decimal.ROUND_UP);
}

/** The owner and coin of the hold of an order: the quote for a purchase, the coin for a sale. */
export const holdOwner = (order: Pick<OrderMoney, 'userId' | 'agentId' | 'side' | 'quoteId' | 'coinId'>): HoldOwner =>
  ownerOf(order, order.side === SPOT_SIDE.buy ? order.quoteId : order.coinId, PLATFORM.spot);

/** The coin that an order receives. */
export const receivedCoin = ({ side, coinId, quoteId }: Pick<OrderMoney, 'side' | 'coinId' | 'quoteId'>): number =>
  side === SPOT_SIDE.buy ? coinId : quoteId;

/** The legs of a fill: both sides against the trading account, the refund, and the fee, which all of them can pay. */
export function fillLegs(order: OrderMoney, fill: Fill, effect: FillEffect): Leg[] {
  const buys = order.side === SPOT_SIDE.buy;
  const type = buys ? ENTRY.spotBuy : ENTRY.spotSell;
  const spent = holdOwner(order);
  const received = { ...spent, marketId: receivedCoin(order) };
  const house = (marketId: number) => ({ house: 'trading', stripe: order.userId, marketId }) as const;
  const fee = feeLeg({ ...received, marketId: fill.feeMarketId ?? received.marketId }, fill.fee);
  const refund = unfreezeLeg(spent, effect.refund);
  const legs: Leg[] = [
    leg(frozenOf(spent), house(spent.marketId), buys ? effect.turnover : fill.amount, type),
    leg(house(received.marketId), activeOf(received), buys ? fill.amount : effect.turnover, type),
    ...(fill.feeMarketId === null ? [fee, refund] : [refund, fee]),
  ];
  return legs.filter(({ amount }) => !new Decimal(amount).isZero());
}

/** From the user to the house, or back if the fee is negative. */
function feeLeg(owner: HoldOwner, fee: string): Leg {
  const house = { house: 'fee', stripe: owner.user.id, marketId: owner.marketId } as const;
  const amount = new Decimal(fee);
  return amount.isNegative()
    ? leg(house, activeOf(owner), amount.abs().toFixed(), ENTRY.feeRebate)
    : leg(activeOf(owner), house, fee, ENTRY.fee);
}

export const isZero = (amount: string): boolean => new Decimal(amount).isZero();
