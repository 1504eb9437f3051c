import { type Amount, D, written } from '../amount.ts';
import { marketOf, priceOf } from '../market.ts';
import { PLAY } from '../price.ts';
import { draw, type World } from '../world.ts';
import { type LiveOrder, decimalsOf, fillOrder } from './order.ts';

/** What somebody offers at one price; `no` where it is a customer's resting order. */
interface Level {
  price: string;
  amount: Amount;
  no?: string;
}

export interface Book {
  /** Best first. Who buys takes from asks, who sells from bids. */
  bids: Level[];
  asks: Level[];
}

const LEVELS = 8;
/** Half of the spread, and the way from one level to the next, as shares of the price. */
const HALF_SPREAD = 0.0002;
const STEP = 0.0004;
/** What market makers offer at the best level, in USDT; deeper levels hold more. */
const DEPTH = 900;

/** What market makers quote around a price: the same for the same tick, however often it is asked for. */
export function quotes(world: World, market: string, tick: number): Book {
  const play = PLAY[market];
  const book: Book = { bids: [], asks: [] };
  if (!play) return book;
  const dice = draw(world, 'book', market, tick);
  const middle = new D(priceOf(world, market));
  const decimals = decimalsOf(marketOf(world, market), market);
  for (let level = 0; level < LEVELS; level += 1) {
    const away = HALF_SPREAD + STEP * level * dice.span(0.8, 1.2);
    for (const [side, sign] of [
      ['bids', -1],
      ['asks', 1],
    ] as const) {
      const price = middle.mul(1 + sign * away).toDecimalPlaces(play.price, sign < 0 ? D.ROUND_DOWN : D.ROUND_UP);
      const amount = new D(written(new D(dice.logNormal(DEPTH * (1 + level), 0.8)).div(price), decimals));
      if (price.gt(0) && amount.gt(0)) book[side].push({ price: price.toFixed(), amount });
    }
  }
  return book;
}

/** Customers' orders that rest join the market makers' levels, by price and then by time. */
export function withResting(world: World, market: string, book: Book): Book {
  for (const [no, order] of Object.entries(world.state.orders)) {
    if (!order.live || !order.rests || order.market !== market || order.price === undefined) continue;
    book[order.side === 1 ? 'bids' : 'asks'].push({ price: order.price, amount: new D(order.left), no });
  }
  // No price has more digits than a number keeps.
  book.bids.sort((a, b) => Number(b.price) - Number(a.price));
  book.asks.sort((a, b) => Number(a.price) - Number(b.price));
  return book;
}

/**
 * Takes from the other side what the order's limit allows and the levels hold; a resting order is filled at its own price.
 * Where it meets another customer's order, both are filled.
 */
export function match(world: World, no: string, book: Book): void {
  const side = world.state.orders[no]?.side;
  if (side === undefined) return;
  for (const level of book[side === 1 ? 'asks' : 'bids']) {
    const order = world.state.orders[no];
    if (!order) return;
    if (level.no === no || level.amount.lte(0)) continue;
    const maker = level.no === undefined ? undefined : world.state.orders[level.no];
    // One that has ended meanwhile offers nothing, and nobody trades with themselves.
    if (level.no !== undefined && (!maker || maker.account === order.account)) continue;
    if (beyond(order, level.price)) return;
    const own = order.rests && maker === undefined ? order.price : undefined;
    const price = own ?? level.price;
    const amount = D.min(level.amount, maker?.left ?? level.amount, wanted(world, order, price));
    if (amount.lte(0)) return;
    level.amount = level.amount.minus(amount);
    if (level.no !== undefined) fillOrder(world, level.no, level.price, amount);
    fillOrder(world, no, price, amount);
  }
}

const beyond = ({ side, price }: LiveOrder, at: string): boolean =>
  price !== undefined && (side === 1 ? new D(at).gt(price) : new D(at).lt(price));

function wanted(world: World, { market, left, funds }: LiveOrder, price: string): Amount {
  const decimals = decimalsOf(marketOf(world, market), market);
  return funds ? new D(left).div(price).toDecimalPlaces(decimals, D.ROUND_DOWN) : new D(left);
}
