// @module-tag full
import type { PlatformCommand } from '@hengtai/contract/gateway-commands';
import type { PlatformEvent } from '@hengtai/contract/gateway.schema';
import { PLATFORM } from '@hengtai/contract/money';
import { expect, test } from 'vitest';
import { of, settled } from '../../test/settled.ts';
import { D } from '../amount.ts';
import { handleCommand } from '../simulation.ts';
import { balanceOf, setBalance, type World } from '../world.ts';
import { quotes, withResting } from './book.ts';
import { stepEngine } from './engine.ts';
import { type Asked, placeOrder } from './order.ts';

/** A world with nothing in its book, in which BTC stands at 100. */
function quiet(options: Partial<World['options']> = {}): World {
  const { world } = settled('engine', undefined, { users: 40, days: 3 });
  world.state.orders = {};
  world.state.prices['BTC'] = '100';
  Object.assign(world.options, { fail: 0, unknown: 0, late: 0, ...options });
  for (const account of ['anna', 'bert']) {
    setBalance(world, account, 'USDT', PLATFORM.spot, '1000000');
    setBalance(world, account, 'BTC', PLATFORM.spot, '10000');
  }
  return world;
}

function place(world: World, asked: Omit<Asked, 'market'>): string {
  const no = placeOrder(world, { market: 'BTC', ...asked }, 0, true);
  if (no === undefined) throw new Error('nothing was placed');
  return no;
}

/** Steps on, with a fresh tick each time; returns what was told. */
function steps(world: World, many: number, ms = 2_000): PlatformEvent[] {
  world.state.queue.splice(0);
  for (let left = many; left > 0; left -= 1) {
    world.now += ms;
    world.state.counters['tick.BTC'] = (world.state.counters['tick.BTC'] ?? 0) + 1;
    stepEngine(world);
  }
  return world.state.queue.splice(0);
}

const cancel = (no: string, id = 7) =>
  ({ seq: 1, id, type: 'order.cancel', at: 0, attempt: 1, data: { no } }) as PlatformCommand;

test('a book has its bids below its asks, and more the deeper it is', () => {
  const world = quiet();
  const { bids, asks } = withResting(world, 'BTC', quotes(world, 'BTC', 1));
  expect(bids).toHaveLength(8);
  expect(Number(bids[0]?.price)).toBeLessThan(Number(asks[0]?.price));
  expect(asks.map(({ price }) => Number(price))).toEqual(asks.map(({ price }) => Number(price)).sort((a, b) => a - b));
  expect(quotes(world, 'BTC', 1)).toEqual(quotes(world, 'BTC', 1));
});

test('an order far off rests, one at the price fills, a large one in parts', () => {
  const world = quiet();
  const far = place(world, { account: 'anna', side: 1, price: '90', amount: '1' });
  const near = place(world, { account: 'anna', side: 1, price: '101', amount: '0.5' });
  const large = place(world, { account: 'bert', side: 2, price: '99', amount: '9000' });
  const fills = of(steps(world, 3), 'order.filled').map(({ data }) => data);
  expect(fills.some(({ no }) => no === far)).toBe(false);
  expect(
    fills
      .filter(({ no }) => no === near)
      .reduce((sum, { amount }) => sum.plus(amount), new D(0))
      .toFixed(),
  ).toBe('0.5');
  expect(world.state.orders[far]?.left).toBe('1');
  expect(world.state.orders[near]).toBeUndefined();
  const parts = fills.filter(({ no }) => no === large);
  expect(parts.length).toBeGreaterThan(0);
  for (const { price } of parts) expect(Number(price)).toBeGreaterThanOrEqual(99);
  expect(Number(world.state.orders[large]?.left)).toBeGreaterThan(0);
});

test('two customers who meet are both filled, at the price of who was there first', () => {
  const world = quiet();
  const first = place(world, { account: 'anna', side: 2, price: '99.99', amount: '3' });
  const resting = world.state.orders[first];
  if (resting) resting.rests = true;
  world.state.prices['BTC'] = '99.5';
  const second = place(world, { account: 'bert', side: 1, price: '99.99', amount: '5000' });
  const fills = of(steps(world, 1), 'order.filled').map(({ data }) => data);
  const [mine, other] = [fills.find(({ no }) => no === first), fills.filter(({ no }) => no === second)];
  expect(mine).toMatchObject({ price: '99.99', amount: '3' });
  expect(other.some(({ price, amount }) => price === '99.99' && amount === '3')).toBe(true);
  expect(new Set(fills.map(({ tradeNo }) => tradeNo)).size).toBe(fills.length);
});

test('a purchase for funds spends them, and what is left buys nothing more', () => {
  const world = quiet();
  const before = balanceOf(world, 'anna', 'USDT', PLATFORM.spot);
  const no = place(world, { account: 'anna', side: 1, funds: '500' });
  const fills = of(steps(world, 20), 'order.filled').filter(({ data }) => data.no === no);
  const spent = fills.reduce((sum, { data }) => sum.plus(new D(data.price).mul(data.amount)), new D(0));
  expect(world.state.orders[no]).toBeUndefined();
  expect(spent.lte(500) && spent.gt(499.9)).toBe(true);
  expect(before.minus(balanceOf(world, 'anna', 'USDT', PLATFORM.spot)).toFixed()).toBe(spent.toFixed());
});

test('a cancel is done in a moment, and gives back what was left', () => {
  const world = quiet();
  const before = balanceOf(world, 'anna', 'USDT', PLATFORM.spot).toFixed();
  const no = place(world, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect(handleCommand(world, cancel(no))).toEqual({ id: 7, state: 'done' });
  expect(of(steps(world, 3), 'order.cancelled').map(({ data }) => data.no)).toEqual([no]);
  expect(balanceOf(world, 'anna', 'USDT', PLATFORM.spot).toFixed()).toBe(before);
  expect(handleCommand(world, cancel(no, 8))).toMatchObject({ state: 'failed' });
});

test('a cancel may fail, stay unanswered, or be late; the same command has the same fate', () => {
  const refusing = quiet({ fail: 1 });
  const one = place(refusing, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect(handleCommand(refusing, cancel(one))).toMatchObject({ id: 7, state: 'failed' });
  const silent = quiet({ unknown: 1 });
  const two = place(silent, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect([handleCommand(silent, cancel(two)), handleCommand(silent, cancel(two))]).toEqual([undefined, undefined]);
  expect(of(steps(silent, 40), 'order.cancelled')).toEqual([]);
  const late = quiet({ late: 1 });
  const three = place(late, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect(handleCommand(late, cancel(three))).toBeUndefined();
  expect(late.state.acks).toEqual([]);
  expect(of(steps(late, 40), 'order.cancelled').map(({ data }) => data.no)).toEqual([three]);
  expect(late.state.acks).toEqual([{ id: 7, state: 'done' }]);
});

test('a late cancel that a fill has overtaken is said to have failed', () => {
  const world = quiet({ late: 1 });
  const no = place(world, { account: 'anna', side: 1, price: '101', amount: '0.1' });
  expect(handleCommand(world, cancel(no))).toBeUndefined();
  const told = steps(world, 40);
  expect(of(told, 'order.cancelled')).toEqual([]);
  expect(world.state.acks).toMatchObject([{ id: 7, state: 'failed' }]);
});
