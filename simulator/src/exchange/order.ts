import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { type Amount, D } from '../amount.ts';
import { marketOf, priceOf } from '../market.ts';
import { PRICE_MODELS } from '../price.ts';
import { balanceOf, nextNumber, emit, moveBalance, formatNo, randomFor, type World } from '../world.ts';
import type { LiveOrder, Market } from '../records.ts';

export interface OrderRequest {
  account: string;
  market: string;
  side: 1 | 2;
  price?: string;
  amount?: string;
  funds?: string;
}

/** The coin and the amount that an order freezes. */
function costOf({ market, side, price, amount, funds }: OrderRequest): { coin: string; cost: Amount } {
  if (side === 2) return { coin: market, cost: new D(amount ?? 0) };
  return { coin: SETTLEMENT, cost: new D(funds ?? new D(price ?? 0).mul(amount ?? 0)) };
}

/** Places an order and freezes its cost. Returns its number, or undefined if the balance is too low. */
export function placeOrder(world: World, request: OrderRequest, cancelAt: number, live: boolean): string | undefined {
  const { coin, cost } = costOf(request);
  if (cost.lte(0) || balanceOf(world, request.account, coin, PLATFORM.spot).lt(cost)) return undefined;
  const no = formatNo(world, 'O', nextNumber(world, 'order'));
  moveBalance(world, request.account, coin, PLATFORM.spot, cost.neg());
  const { account, market, side, price, amount, funds } = request;
  world.state.orders[no] = {
    account,
    market,
    side,
    ...(price === undefined ? {} : { price }),
    left: funds ?? amount ?? '0',
    funds: funds !== undefined,
    placedAt: world.now,
    cancelAt,
    live,
    rests: false,
  };
  const data: EventData['order.placed'] = { no, type: price === undefined ? 2 : 1, ...request };
  emit(world, 'order.placed', no, data);
  return no;
}

/** The fee in the received coin, rounded up to `decimals`. */
function feeOf(rate: string, received: Amount, decimals: number): Amount {
  return received.mul(rate).toDecimalPlaces(decimals, D.ROUND_UP);
}

/** Decimals of amounts in a market. */
export const decimalsOf = (market: Market | undefined, name: string): number =>
  market?.amountPrecision ?? PRICE_MODELS[name]?.amount ?? 2;

const USDT_DECIMALS = 6;
/** The coin in which users may pay fees, and how many of them do. */
const FEE_COIN = 'HTT';
const FEE_COIN_SHARE = 0.4;
/** Share of the makers that get a part of the fee instead of paying it. */
const REBATE_SHARE = 0.15;
const REBATE = '0.2';

/** The fee of a fill: in the received coin, in the fee coin if the user has plenty of it, or a rebate of a maker. */
function chooseFee(world: World, order: LiveOrder, worth: Amount, usual: Amount, tradeNo: string) {
  const dice = randomFor(world, 'fee', tradeNo);
  if (order.rests && dice.chance(REBATE_SHARE))
    return { fee: usual.mul(REBATE).toDecimalPlaces(USDT_DECIMALS, D.ROUND_DOWN).neg().toFixed() };
  const decimals = decimalsOf(marketOf(world, FEE_COIN), FEE_COIN);
  const fee = feeOf(marketOf(world, order.market)?.takerFee ?? '0.001', worth.div(priceOf(world, FEE_COIN)), decimals);
  const isRich = balanceOf(world, order.account, FEE_COIN, PLATFORM.spot).gt(fee.mul(20));
  if (order.market === FEE_COIN || !isRich || !dice.chance(FEE_COIN_SHARE)) return { fee: usual.toFixed() };
  return { fee: fee.toFixed(), feeCoin: FEE_COIN };
}

/** Fills part of an order and ends it when nothing remains. `amount` must respect the market's decimals. */
export function fillOrder(world: World, no: string, price: string, amount: Amount): void {
  const order = world.state.orders[no];
  if (!order) return;
  const market = marketOf(world, order.market);
  const decimals = decimalsOf(market, order.market);
  const worth = amount.mul(price);
  const buys = order.side === 1;
  const rate = order.rests ? market?.makerFee : market?.takerFee;
  const left = new D(order.left).minus(order.funds ? worth : amount);
  const move = (coin: string, change: Amount): void => moveBalance(world, order.account, coin, PLATFORM.spot, change);
  move(buys ? order.market : SETTLEMENT, buys ? amount : worth);
  // The difference between limit and fill price is released with the fill.
  if (buys && order.price !== undefined) move(SETTLEMENT, new D(order.price).mul(amount).minus(worth));
  const tradeNo = formatNo(world, 'F', nextNumber(world, 'fill'));
  const fee = chooseFee(
    world,
    order,
    worth,
    feeOf(rate ?? '0.001', buys ? amount : worth, buys ? decimals : USDT_DECIMALS),
    tradeNo,
  );
  move(fee.feeCoin ?? (buys ? order.market : SETTLEMENT), new D(fee.fee).neg());
  emit(world, 'order.filled', tradeNo, { no, tradeNo, price, amount: amount.toFixed(), ...fee });
  const done = order.funds ? left.lt(new D(price).mul(new D(10).pow(-decimals))) : left.lte(0);
  order.left = left.toFixed();
  if (!done) return;
  if (order.funds) move(SETTLEMENT, left);
  delete world.state.orders[no];
}

/** Cancels an order and releases the remaining amount. */
export function cancelOrder(world: World, no: string): void {
  if (!world.state.orders[no]) return;
  refundOrder(world, no);
  emit(world, 'order.cancelled', no, { no });
}

/** Removes an order and releases its remaining amount, without an event. */
export function refundOrder(world: World, no: string): void {
  const order = world.state.orders[no];
  if (!order) return;
  const { account, market, side, price, left, funds } = order;
  const { coin, cost } = costOf({
    account,
    market,
    side,
    ...(price === undefined ? {} : { price }),
    ...(funds ? { funds: left } : { amount: left }),
  });
  moveBalance(world, account, coin, PLATFORM.spot, cost);
  delete world.state.orders[no];
}
