// @module-tag full
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { PLATFORM } from '@hengtai/contract/values/money';
import { expect, test } from 'vitest';
import { eventsOf, simulatePast } from '../../test/simulate-past.ts';
import { D } from '../amount.ts';
import { handleCommand } from '../simulation.ts';
import { balanceOf, setBalance, type World } from '../world.ts';
import { createQuotes, addRestingOrders } from './book.ts';
import { stepEngine } from './engine.ts';
import { type OrderRequest, placeOrder } from './order.ts';

/** A world with an empty book and a BTC price of 100. */
function quiet(options: Partial<World['options']> = {}): World {
  const { world } = simulatePast('engine', undefined, { users: 40, days: 3 });
  world.state.orders = {};
  world.state.prices['BTC'] = '100';
  Object.assign(world.options, { fail: 0, unknown: 0, late: 0, ...options });
  for (const account of ['anna', 'bert']) {
    setBalance(world, account, 'USDT', PLATFORM.spot, '1000000');
    setBalance(world, account, 'BTC', PLATFORM.spot, '10000');
  }
  return world;
}

function place(world: World, request: Omit<OrderRequest, 'market'>): string {
  const no = placeOrder(world, { market: 'BTC', ...request }, 0, true);
  if (no === undefined) throw new Error('the order was not placed');
  return no;
}

/** Steps the engine with a new tick each time and returns the emitted events. */
function steps(world: World, stepCount: number, ms = 2_000): PlatformEvent[] {
  world.state.queue.splice(0);
  for (let left = stepCount; left > 0; left -= 1) {
    world.now += ms;
    world.state.counters['tick.BTC'] = (world.state.counters['tick.BTC'] ?? 0) + 1;
    stepEngine(world);
  }
  return world.state.queue.splice(0);
}

const cancel = (no: string, id = 7) =>
  ({ seq: 1, id, type: 'order.cancel', at: 0, attempt: 1, data: { no } }) as PlatformCommand;

test('bids are below asks, levels are sorted, and the same tick gives the same book', () => {
  const world = quiet();
  const { bids, asks } = addRestingOrders(world, 'BTC', createQuotes(world, 'BTC', 1));
  expect(bids).toHaveLength(8);
  expect(Number(bids[0]?.price)).toBeLessThan(Number(asks[0]?.price));
  expect(asks.map(({ price }) => Number(price))).toEqual(asks.map(({ price }) => Number(price)).sort((a, b) => a - b));
  expect(createQuotes(world, 'BTC', 1)).toEqual(createQuotes(world, 'BTC', 1));
});

test('a distant order rests, an order at the price fills, and a large order fills in parts', () => {
  const world = quiet();
  const far = place(world, { account: 'anna', side: 1, price: '90', amount: '1' });
  const near = place(world, { account: 'anna', side: 1, price: '101', amount: '0.5' });
  const large = place(world, { account: 'bert', side: 2, price: '99', amount: '9000' });
  const fills = eventsOf(steps(world, 3), 'order.filled').map(({ data }) => data);
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

test('crossing orders of two customers both fill at the price of the earlier one', () => {
  const world = quiet();
  const first = place(world, { account: 'anna', side: 2, price: '99.99', amount: '3' });
  const resting = world.state.orders[first];
  if (resting) resting.rests = true;
  world.state.prices['BTC'] = '99.5';
  const second = place(world, { account: 'bert', side: 1, price: '99.99', amount: '5000' });
  const fills = eventsOf(steps(world, 1), 'order.filled').map(({ data }) => data);
  const [earlierFill, laterFills] = [fills.find(({ no }) => no === first), fills.filter(({ no }) => no === second)];
  expect(earlierFill).toMatchObject({ price: '99.99', amount: '3' });
  expect(laterFills.some(({ price, amount }) => price === '99.99' && amount === '3')).toBe(true);
  expect(new Set(fills.map(({ tradeNo }) => tradeNo)).size).toBe(fills.length);
});

test('a purchase with funds spends them until the rest is too small to buy anything', () => {
  const world = quiet();
  const before = balanceOf(world, 'anna', 'USDT', PLATFORM.spot);
  const no = place(world, { account: 'anna', side: 1, funds: '500' });
  const fills = eventsOf(steps(world, 20), 'order.filled').filter(({ data }) => data.no === no);
  const spent = fills.reduce((sum, { data }) => sum.plus(new D(data.price).mul(data.amount)), new D(0));
  expect(world.state.orders[no]).toBeUndefined();
  expect(spent.lte(500) && spent.gt(499.9)).toBe(true);
  expect(before.minus(balanceOf(world, 'anna', 'USDT', PLATFORM.spot)).toFixed()).toBe(spent.toFixed());
});

test('a cancel is executed soon and releases the remaining amount', () => {
  const world = quiet();
  const before = balanceOf(world, 'anna', 'USDT', PLATFORM.spot).toFixed();
  const no = place(world, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect(handleCommand(world, cancel(no))).toEqual({ id: 7, state: 'done' });
  expect(eventsOf(steps(world, 3), 'order.cancelled').map(({ data }) => data.no)).toEqual([no]);
  expect(balanceOf(world, 'anna', 'USDT', PLATFORM.spot).toFixed()).toBe(before);
  expect(handleCommand(world, cancel(no, 8))).toMatchObject({ state: 'failed' });
});

test('a cancel can fail, stay unanswered or be late, and a repeated command has the same outcome', () => {
  const refusing = quiet({ fail: 1 });
  const one = place(refusing, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect(handleCommand(refusing, cancel(one))).toMatchObject({ id: 7, state: 'failed' });
  const silent = quiet({ unknown: 1 });
  const two = place(silent, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect([handleCommand(silent, cancel(two)), handleCommand(silent, cancel(two))]).toEqual([undefined, undefined]);
  expect(eventsOf(steps(silent, 40), 'order.cancelled')).toEqual([]);
  const late = quiet({ late: 1 });
  const three = place(late, { account: 'anna', side: 1, price: '90', amount: '1' });
  expect(handleCommand(late, cancel(three))).toBeUndefined();
  expect(late.state.acks).toEqual([]);
  expect(eventsOf(steps(late, 40), 'order.cancelled').map(({ data }) => data.no)).toEqual([three]);
  expect(late.state.acks).toEqual([{ id: 7, state: 'done' }]);
});

test('a late cancel fails if the order was filled first', () => {
  const world = quiet({ late: 1 });
  const no = place(world, { account: 'anna', side: 1, price: '101', amount: '0.1' });
  expect(handleCommand(world, cancel(no))).toBeUndefined();
  const events = steps(world, 40);
  expect(eventsOf(events, 'order.cancelled')).toEqual([]);
  expect(world.state.acks).toMatchObject([{ id: 7, state: 'failed' }]);
});
