import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { type Amount, D, formatAmount } from '../amount.ts';
import { marketOf, maintenanceOf, priceOf } from '../market.ts';
import { balanceOf, nextNumber, emit, moveBalance, formatNo, randomFor, type World } from '../world.ts';
import { decimalsOf } from './order.ts';
import type { LivePosition } from '../records.ts';

export interface PositionRequest extends Pick<
  LivePosition,
  'account' | 'market' | 'demo' | 'side' | 'leverage' | 'price'
> {
  amount: string;
}

export type Plan = Partial<
  Pick<LivePosition, 'cancelAt' | 'closeAt' | 'closeShare' | 'takeProfit' | 'stopLoss' | 'live'>
>;

const DECIMALS = 6;
/** Decimals of the server's ledger. */
const BOOK = 18;
export const USER = 1;
export const TAKE_PROFIT = 2;
export const STOP_LOSS = 3;
export const OPERATOR = 5;
/** Liquidation fee as a share of the closed value. */
const LIQUIDATION_FEE = 0.002;
const PARTS_SHARE = 0.25;

/** Margin in USDT, rounded up as fees are. */
const marginOf = (price: string, amount: string, leverage: number): Amount =>
  new D(price).mul(amount).div(leverage).toDecimalPlaces(DECIMALS, D.ROUND_UP);

/** Places a position order and takes its margin. Returns its number, or undefined if the balance is too low. */
export function placePosition(world: World, request: PositionRequest, plan: Plan): string | undefined {
  const { account, market, demo, side, leverage, price, amount } = request;
  const margin = marginOf(price ?? priceOf(world, market), amount, leverage);
  if (demo === 0 && freeBalanceOf(world, account).lt(margin)) return undefined;
  const no = formatNo(world, 'P', nextNumber(world, 'position'));
  if (demo === 0) move(world, account, margin.neg());
  world.state.positions[no] = {
    account,
    market,
    demo,
    side,
    leverage,
    ...(price === undefined ? {} : { price }),
    left: amount,
    held: margin.toFixed(),
    placedAt: world.now,
    cancelAt: 0,
    closeAt: 0,
    closeShare: 1,
    live: false,
    ...plan,
  };
  const data: EventData['position.placed'] = {
    no,
    type: price === undefined ? 2 : 1,
    ...request,
    margin: margin.toFixed(),
  };
  emit(world, 'position.placed', no, data);
  return no;
}

/** Fills the whole order at one price and reports its take-profit and stop-loss, if any. */
export function openPosition(world: World, no: string, price: string): void {
  const position = world.state.positions[no];
  if (!position) return;
  const fee = feeOf(world, position, position.left, price);
  position.openPrice = price;
  position.cancelAt = 0;
  charge(world, position, fee);
  const part = choosePart(world, no, position);
  if (part !== undefined) emit(world, 'position.opened', `${no}/1`, { no, price, fee: '0', amount: part });
  emit(world, 'position.opened', no, { no, price, fee: fee.toFixed() });
  const { takeProfit, stopLoss } = position;
  if (takeProfit === undefined && stopLoss === undefined) return;
  const data = {
    no,
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  };
  emit(world, 'position.changed', no, data);
}

/** Some orders are filled in two parts at the same price. */
function choosePart(world: World, no: string, { market, left }: LivePosition): string | undefined {
  if (!randomFor(world, 'part', no).chance(PARTS_SHARE)) return undefined;
  const half = formatAmount(new D(left).div(2), decimalsOf(marketOf(world, market), market));
  return new D(half).isZero() ? undefined : half;
}

/** Closes at most `wanted` at a price; more than the open amount closes everything. */
export function closePosition(world: World, no: string, wanted: Amount, price: string, closeType: 1 | 2 | 3 | 5): void {
  const position = world.state.positions[no];
  if (position?.openPrice === undefined) return;
  const amount = D.min(wanted, position.left);
  if (amount.lte(0)) return;
  const fee = feeOf(world, position, amount, price);
  const closeNo = formatNo(world, 'C', nextNumber(world, 'close'));
  settleClose(world, no, position, { amount, price, fee });
  const data = { no, closeNo, amount: amount.toFixed(), price, fee: fee.toFixed(), closeType };
  emit(world, 'position.closed', closeNo, data);
}

export function liquidatePosition(world: World, no: string, price: string): void {
  const position = world.state.positions[no];
  if (position?.openPrice === undefined) return;
  const amount = new D(position.left);
  const fee = amount.mul(price).mul(LIQUIDATION_FEE).toDecimalPlaces(DECIMALS, D.ROUND_UP);
  const closeNo = formatNo(world, 'C', nextNumber(world, 'close'));
  settleClose(world, no, position, { amount, price, fee });
  emit(world, 'position.liquidated', closeNo, { no, closeNo, price, fee: fee.toFixed() });
}

/** Releases margin and books profit or loss with the same rounding as the server. */
function settleClose(
  world: World,
  no: string,
  position: LivePosition,
  { amount, price, fee }: { amount: Amount; price: string; fee: Amount },
): void {
  const held = new D(position.held);
  const last = amount.eq(position.left);
  const part = last ? held : held.mul(amount).div(position.left).toDecimalPlaces(BOOK, D.ROUND_DOWN);
  const profit = profitOf(position, amount, price);
  const lost = D.min(D.max(profit.neg(), 0), held);
  const back = D.max(part.minus(lost), 0);
  position.held = held.minus(lost).minus(back).toFixed();
  position.left = new D(position.left).minus(amount).toFixed();
  if (position.demo === 0) move(world, position.account, back.plus(D.max(profit, 0)));
  charge(world, position, fee);
  if (last) delete world.state.positions[no];
}

/** Books a funding payment; a negative amount is paid by the user. */
export function fundPosition(world: World, no: string, amount: Amount): void {
  const position = world.state.positions[no];
  if (position?.openPrice === undefined || amount.isZero()) return;
  const fundingNo = formatNo(world, 'N', nextNumber(world, 'funding'));
  if (amount.lt(0)) charge(world, position, amount.neg());
  else if (position.demo === 0) move(world, position.account, amount);
  emit(world, 'funding.paid', fundingNo, { no: fundingNo, position: no, amount: amount.toFixed() });
}

export function cancelPosition(world: World, no: string): void {
  const position = world.state.positions[no];
  if (!position || position.openPrice !== undefined) return;
  refundPosition(world, no);
  emit(world, 'position.cancelled', no, { no });
}

/** Removes a position and releases its margin, without an event. */
export function refundPosition(world: World, no: string): void {
  const position = world.state.positions[no];
  if (!position) return;
  if (position.demo === 0) move(world, position.account, new D(position.held));
  delete world.state.positions[no];
}

/** Profit of closing `amount` at a price, rounded down as the server does. */
function profitOf({ side, openPrice }: LivePosition, amount: Amount, price: string): Amount {
  const change = side === 1 ? new D(price).minus(openPrice ?? price) : new D(openPrice ?? price).minus(price);
  return change.mul(amount).toDecimalPlaces(BOOK, D.ROUND_FLOOR);
}

/** True if margin plus unrealized profit is not above the maintenance margin. */
export function isLiquidatable(world: World, position: LivePosition, price: string): boolean {
  if (isFarFromLiquidation(world, position, price)) return false;
  const left = new D(position.left);
  const maintenance = left.mul(price).mul(maintenanceOf(world, position.market));
  return new D(position.held).plus(profitOf(position, left, price)).lte(maintenance);
}

/** Fast check with floating-point numbers; its margin of safety is larger than the rounding error. */
function isFarFromLiquidation(
  world: World,
  { side, held, left, openPrice, market }: LivePosition,
  price: string,
): boolean {
  const change = (Number(price) - Number(openPrice ?? price)) * (side === 1 ? 1 : -1);
  const worth = Number(held) + change * Number(left);
  return worth > Number(left) * Number(price) * Number(maintenanceOf(world, market)) * 1.01 + 0.01;
}

/** Takes a charge from the free balance, then from the margin; the insurance account pays the rest. */
function charge(world: World, position: LivePosition, amount: Amount): void {
  if (position.demo === 1) return;
  const free = D.min(amount, freeBalanceOf(world, position.account));
  move(world, position.account, free.neg());
  position.held = new D(position.held).minus(D.min(amount.minus(free), position.held)).toFixed();
}

const feeOf = (world: World, { market, price }: LivePosition, amount: Amount | string, at: string): Amount =>
  new D(amount)
    .mul(at)
    .mul((price === undefined ? marketOf(world, market)?.takerFee : marketOf(world, market)?.makerFee) ?? '0.001')
    .toDecimalPlaces(DECIMALS, D.ROUND_UP);

export const freeBalanceOf = (world: World, account: string): Amount =>
  balanceOf(world, account, SETTLEMENT, PLATFORM.future);
const move = (world: World, account: string, change: Amount): void =>
  moveBalance(world, account, SETTLEMENT, PLATFORM.future, change);
