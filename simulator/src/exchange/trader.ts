import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { D, formatAmount } from '../amount.ts';
import { SPOT, marketOf, priceOf } from '../market.ts';
import { PRICE_MODELS } from '../price.ts';
import type { Random } from '../random.ts';
import { fundTradingAccount } from '../transfer.ts';
import { balanceOf, nextNumber, randomFor, type Holding, listHoldings, timeFromNow, type World } from '../world.ts';
import { type OrderRequest, cancelOrder, decimalsOf, fillOrder, placeOrder } from './order.ts';

/** No new orders while this many are open. */
const OPEN_MAX = 140;
/** Smallest order value in USDT. */
const MIN_VALUE = 12;
const PATIENT_MS = 6 * 3_600_000;

/** Places an order for a random account with a spot balance. */
export function createOrder(world: World): void {
  if (Object.keys(world.state.orders).length >= OPEN_MAX) return;
  const number = nextNumber(world, 'trader');
  const dice = randomFor(world, 'trader', number);
  const held = listHoldings(world, PLATFORM.spot).filter(
    (one) => !world.state.closed.includes(one.account) && worthOf(world, one).gte(MIN_VALUE * 2),
  );
  if (held.length === 0) return;
  const request = chooseOrder(world, dice.pick(held), dice);
  if (!request) return;
  placeOrder(world, request, dice.chance(0.4) ? timeFromNow(world, dice, 60, 900) : 0, false);
}

const worthOf = (world: World, { market, active }: Holding) => active.mul(priceOf(world, market));

/** Chooses an order from a holding: coins are sold, USDT buys a random coin. */
function chooseOrder(world: World, held: Holding, dice: Random, resting = false): OrderRequest | undefined {
  const traded = world.markets
    .filter(({ name, spot, halted }) => spot && !halted.includes(SPOT) && PRICE_MODELS[name])
    .map(({ name }) => name);
  const market = held.market === SETTLEMENT ? (traded.length > 0 ? dice.pick(traded) : undefined) : held.market;
  if (market === undefined || !traded.includes(market)) return undefined;
  const side = held.market === SETTLEMENT ? 1 : 2;
  const last = new D(priceOf(world, market));
  const decimals = decimalsOf(marketOf(world, market), market);
  const part = held.active.mul(dice.chance(0.15) ? 1 : dice.span(0.05, 0.55));
  const base = { account: held.account, market, side } as const;
  if (!resting && dice.chance(0.3)) {
    if (side === 2) return ifLargeEnough({ ...base, amount: formatAmount(part, decimals) }, last);
    return ifLargeEnough({ ...base, funds: formatAmount(part, 2) }, last);
  }
  // Some orders fill immediately, some rest near the price, some far from it.
  const distance = resting
    ? dice.span(0.01, 0.05)
    : dice.weighted([[-0.002, 3] as const, [0.001, 4] as const, [0.008, 3] as const]);
  const price = last
    .mul(1 + (side === 1 ? -1 : 1) * distance * dice.span(0.5, 1.5))
    .toDecimalPlaces(PRICE_MODELS[market]?.price ?? 2)
    .toFixed();
  const amount = formatAmount(
    side === 1 ? part.div(price) : part,
    Math.min(decimals, PRICE_MODELS[market]?.amount ?? decimals),
  );
  return ifLargeEnough({ ...base, price, amount }, last);
}

const ifLargeEnough = (request: OrderRequest, last: InstanceType<typeof D>): OrderRequest | undefined => {
  const worth =
    request.funds === undefined ? new D(request.amount ?? 0).mul(request.price ?? last) : new D(request.funds);
  return worth.gte(MIN_VALUE) ? request : undefined;
};

/** Schedules a callback at a time of the past. */
type Later = (at: number, run: () => void) => void;

/** Creates a past order and schedules its end. If that is after the start, the live engine continues with it. */
export function createPastOrder(world: World, account: string, dice: Random, agenda: Later, resting = false): void {
  const held =
    largestHolding(world, account) ??
    (fundTradingAccount(world, account, dice) ? largestHolding(world, account) : undefined);
  if (!held) return;
  const request = chooseOrder(world, held, dice, resting);
  if (!request) return;
  const cancelAt = resting && dice.chance(0.2) ? world.state.startedAt + dice.int(300, 7_200) * 1_000 : 0;
  const no = placeOrder(world, request, cancelAt, true);
  if (no === undefined) return;
  const order = world.state.orders[no];
  if (!order || resting) {
    if (order) order.rests = true;
    return;
  }
  const price = request.price ?? priceOf(world, request.market);
  if (request.price === undefined) {
    fillRemainder(world, no, price);
    return;
  }
  order.rests = dice.chance(0.6);
  const wait = order.rests ? Math.min(dice.logNormal(15, 1.2) * 60_000, PATIENT_MS) : 1_000;
  const fate = dice.weighted([['filled', 62] as const, ['partly', 14] as const, ['cancelled', 24] as const]);
  if (fate === 'cancelled') return agenda(world.now + wait, () => cancelOrder(world, no));
  if (fate === 'partly') {
    agenda(world.now + wait / 2, () => fillPart(world, no, price, dice.span(0.2, 0.8)));
    return agenda(world.now + wait, () =>
      dice.chance(0.5) ? cancelOrder(world, no) : fillRemainder(world, no, price),
    );
  }
  agenda(world.now + wait, () => fillRemainder(world, no, price));
}

function largestHolding(world: World, account: string): Holding | undefined {
  return world.markets
    .map(({ name }) => ({ account, market: name, active: balanceOf(world, account, name, PLATFORM.spot) }))
    .filter((one) => worthOf(world, one).gte(MIN_VALUE * 2))
    .sort((a, b) => worthOf(world, b).cmp(worthOf(world, a)))[0];
}

function fillPart(world: World, no: string, price: string, share: number): void {
  const order = world.state.orders[no];
  if (!order) return;
  const decimals = decimalsOf(marketOf(world, order.market), order.market);
  const amount = new D(formatAmount(new D(order.left).mul(share), decimals));
  if (amount.gt(0)) fillOrder(world, no, price, amount);
}

function fillRemainder(world: World, no: string, price: string): void {
  const order = world.state.orders[no];
  if (!order) return;
  const decimals = decimalsOf(marketOf(world, order.market), order.market);
  const amount = order.funds ? new D(formatAmount(new D(order.left).div(price), decimals)) : new D(order.left);
  if (amount.gt(0)) fillOrder(world, no, price, amount);
}
