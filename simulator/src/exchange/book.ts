import { type Amount, D, formatAmount } from '../amount.ts';
import { marketOf, priceOf } from '../market.ts';
import { PRICE_MODELS } from '../price.ts';
import { randomFor, type World } from '../world.ts';
import { decimalsOf, fillOrder } from './order.ts';
import type { LiveOrder } from '../records.ts';

/** One price level; `no` is set if it is a resting order of a customer. */
interface Level {
  price: string;
  amount: Amount;
  no?: string;
}

export interface Book {
  /** Best price first. A buyer takes from the asks, a seller from the bids. */
  bids: Level[];
  asks: Level[];
}

const LEVELS = 8;
/** Half of the spread and the distance between levels, as shares of the price. */
const HALF_SPREAD = 0.0002;
const STEP = 0.0004;
/** Median value of the best market-maker level in USDT; deeper levels hold more. */
const DEPTH = 900;

/** Market-maker levels around the price. The same tick always gives the same levels. */
export function createQuotes(world: World, market: string, tick: number): Book {
  const model = PRICE_MODELS[market];
  const book: Book = { bids: [], asks: [] };
  if (!model) return book;
  const dice = randomFor(world, 'book', market, tick);
  const middle = new D(priceOf(world, market));
  const decimals = decimalsOf(marketOf(world, market), market);
  for (let level = 0; level < LEVELS; level += 1) {
    const distance = HALF_SPREAD + STEP * level * dice.span(0.8, 1.2);
    for (const [side, sign] of [
      ['bids', -1],
      ['asks', 1],
    ] as const) {
      const price = middle.mul(1 + sign * distance).toDecimalPlaces(model.price, sign < 0 ? D.ROUND_DOWN : D.ROUND_UP);
      const amount = new D(formatAmount(new D(dice.logNormal(DEPTH * (1 + level), 0.8)).div(price), decimals));
      if (price.gt(0) && amount.gt(0)) book[side].push({ price: price.toFixed(), amount });
    }
  }
  return book;
}

/** Adds resting customer orders to the book, in price-time priority. */
export function addRestingOrders(world: World, market: string, book: Book): Book {
  for (const [no, order] of Object.entries(world.state.orders)) {
    if (!order.live || !order.rests || order.market !== market || order.price === undefined) continue;
    book[order.side === 1 ? 'bids' : 'asks'].push({ price: order.price, amount: new D(order.left), no });
  }
  // Prices have few digits, so comparing them as numbers is exact.
  book.bids.sort((a, b) => Number(b.price) - Number(a.price));
  book.asks.sort((a, b) => Number(a.price) - Number(b.price));
  return book;
}

/**
 * Fills an order from the opposite side up to its limit. A resting order trades at its own price; a matched
 * resting order of another customer is filled too.
 */
export function matchOrder(world: World, no: string, book: Book): void {
  const side = world.state.orders[no]?.side;
  if (side === undefined) return;
  for (const level of book[side === 1 ? 'asks' : 'bids']) {
    const order = world.state.orders[no];
    if (!order) return;
    if (level.no === no || level.amount.lte(0)) continue;
    const maker = level.no === undefined ? undefined : world.state.orders[level.no];
    // Skips orders that ended during this match, and orders of the same account.
    if (level.no !== undefined && (!maker || maker.account === order.account)) continue;
    if (isBeyondLimit(order, level.price)) return;
    const own = order.rests && maker === undefined ? order.price : undefined;
    const price = own ?? level.price;
    const amount = D.min(level.amount, maker?.left ?? level.amount, wantedAmount(world, order, price));
    if (amount.lte(0)) return;
    level.amount = level.amount.minus(amount);
    if (level.no !== undefined) fillOrder(world, level.no, level.price, amount);
    fillOrder(world, no, price, amount);
  }
}

const isBeyondLimit = ({ side, price }: LiveOrder, at: string): boolean =>
  price !== undefined && (side === 1 ? new D(at).gt(price) : new D(at).lt(price));

function wantedAmount(world: World, { market, left, funds }: LiveOrder, price: string): Amount {
  const decimals = decimalsOf(marketOf(world, market), market);
  return funds ? new D(left).div(price).toDecimalPlaces(decimals, D.ROUND_DOWN) : new D(left);
}
