// @module-tag full
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { PLATFORM } from '@hengtai/contract/values/money';
import { expect, test } from 'vitest';
import { eventsOf, simulatePast } from '../../test/simulate-past.ts';
import { HOUR_MS } from '../rhythm.ts';
import { handleCommand } from '../simulation.ts';
import { balanceOf, setBalance, type World } from '../world.ts';
import { stepFutures } from './future-engine.ts';
import { type PositionRequest, type Plan, placePosition } from './position.ts';

/** A world without positions and with a BTC price of 100. */
function quiet(options: Partial<World['options']> = {}): World {
  const { world } = simulatePast('futures', undefined, { users: 40, days: 3 });
  world.state.positions = {};
  world.state.prices['BTC'] = '100';
  Object.assign(world.options, { fail: 0, unknown: 0, late: 0, ...options });
  setBalance(world, 'anna', 'USDT', PLATFORM.future, '1000');
  return world;
}

function place(world: World, request: Partial<PositionRequest> = {}, plan: Plan = {}): string {
  const whole = { account: 'anna', market: 'BTC', demo: 0, side: 1, leverage: 10, amount: '10', ...request } as const;
  const no = placePosition(world, whole, { live: true, ...plan });
  if (no === undefined) throw new Error('the position was not placed');
  return no;
}

/** Steps the engine at a price and returns the emitted events. */
function at(world: World, price: string, ms = 2_000): PlatformEvent[] {
  world.state.queue.splice(0);
  world.now += ms;
  world.state.prices['BTC'] = price;
  stepFutures(world);
  return world.state.queue.splice(0);
}

const types = (events: readonly PlatformEvent[]) => events.map(({ type }) => type);
const free = (world: World) => balanceOf(world, 'anna', 'USDT', PLATFORM.future).toFixed();
const command = (type: 'position.cancel' | 'position.close', data: object, id = 7) =>
  ({ seq: 1, id, type, at: 0, attempt: 1, data }) as PlatformCommand;

test('a limit order opens at its limit, a market order at once, and both pay a fee', () => {
  const world = quiet();
  const waiting = place(world, { price: '99' });
  expect(free(world)).toBe('901');
  const taken = place(world);
  // Some orders are filled in two parts; the second one has the fee.
  expect(eventsOf(at(world, '100'), 'position.opened').at(-1)?.data).toEqual({ no: taken, price: '100', fee: '1' });
  expect(eventsOf(at(world, '98.9'), 'position.opened').at(-1)?.data).toEqual({
    no: waiting,
    price: '99',
    fee: '0.99',
  });
  expect(free(world)).toBe('799.01');
  expect(placePosition(world, { account: 'anna', market: 'BTC', demo: 0, side: 1, leverage: 1, amount: '9' }, {})).toBe(
    undefined,
  );
});

test('take-profit, stop-loss and liquidation close the whole position at the current price', () => {
  const world = quiet();
  const won = place(world, {}, { takeProfit: '105', stopLoss: '95' });
  expect(new Set(types(at(world, '100')))).toEqual(new Set(['position.opened', 'position.changed']));
  expect(at(world, '104.99')).toEqual([]);
  expect(eventsOf(at(world, '105.5'), 'position.closed').map(({ data }) => data)).toMatchObject([
    { no: won, amount: '10', price: '105.5', closeType: 2 },
  ]);
  const lost = place(world, { side: 2 }, { stopLoss: '110' });
  at(world, '105.5');
  expect(eventsOf(at(world, '110.2'), 'position.closed').map(({ data }) => data)).toMatchObject([
    { no: lost, closeType: 3 },
  ]);
  const due = place(world, { leverage: 50 });
  at(world, '110.2');
  // Margin 22.04 and a maintenance rate of 0.5 % give a liquidation price of about 108.54.
  expect(at(world, '108.6')).toEqual([]);
  expect(eventsOf(at(world, '108.5'), 'position.liquidated').map(({ data }) => data)).toMatchObject([
    { no: due, price: '108.5' },
  ]);
  expect(world.state.positions).toEqual({});
});

test('users close a part and then the rest, and cancel waiting orders', () => {
  const world = quiet();
  const soon = world.now + 10_000;
  const no = place(world, {}, { closeAt: soon, closeShare: 0.3 });
  const waiting = place(world, { price: '90', amount: '1' }, { cancelAt: soon });
  at(world, '100');
  const first = at(world, '101', 10_000);
  expect(eventsOf(first, 'position.closed').map(({ data }) => data)).toMatchObject([{ no, amount: '3', closeType: 1 }]);
  expect(eventsOf(first, 'position.cancelled').map(({ data }) => data)).toEqual([{ no: waiting }]);
  expect(eventsOf(at(world, '102', 60_000), 'position.closed').map(({ data }) => data)).toMatchObject([
    { no, amount: '7' },
  ]);
  // Profit 3 + 14, minus fees of 1 + 0.303 + 0.714.
  expect(free(world)).toBe('1014.983');
});

test('a demo position moves no money', () => {
  const world = quiet();
  place(world, { demo: 1, amount: '100000' }, { takeProfit: '101' });
  at(world, '100');
  expect(types(at(world, '101'))).toEqual(['position.closed']);
  expect(free(world)).toBe('1000');
});

test('every hour one side pays funding to the other', () => {
  const world = quiet();
  const [long, short] = [place(world, { amount: '1' }), place(world, { side: 2, amount: '1' })];
  place(world, { price: '50', amount: '1' });
  at(world, '100');
  const paid = eventsOf(at(world, '100', HOUR_MS), 'funding.paid').map(({ data }) => data);
  expect(paid.map(({ position }) => position)).toEqual([long, short]);
  const [one = 0, other = 0] = paid.map(({ amount }) => Number(amount));
  expect(Math.sign(one)).toBe(-Math.sign(other));
  expect(eventsOf(at(world, '100'), 'funding.paid')).toEqual([]);
});

test('commands of operators are executed soon and close at most the open amount', () => {
  const world = quiet();
  const [waiting, open] = [place(world, { price: '90', amount: '1' }), place(world)];
  at(world, '100');
  expect(handleCommand(world, command('position.cancel', { no: waiting }))).toEqual({ id: 7, state: 'done' });
  expect(handleCommand(world, command('position.close', { no: open, amount: '99' }, 8))).toEqual({
    id: 8,
    state: 'done',
  });
  const events = at(world, '101', 5_000);
  expect(eventsOf(events, 'position.cancelled').map(({ data }) => data)).toEqual([{ no: waiting }]);
  expect(eventsOf(events, 'position.closed').map(({ data }) => data)).toMatchObject([
    { no: open, amount: '10', price: '101', closeType: 5 },
  ]);
  expect(handleCommand(world, command('position.close', { no: open, amount: '1' }, 9))).toMatchObject({
    state: 'failed',
  });
  expect(handleCommand(world, command('position.cancel', { no: waiting }, 10))).toMatchObject({ state: 'failed' });
});

test('a close can fail, stay unanswered or be late, and fails if the position ended first', () => {
  const refusing = quiet({ fail: 1 });
  const one = place(refusing);
  at(refusing, '100');
  expect(handleCommand(refusing, command('position.close', { no: one, amount: '1' }))).toMatchObject({
    state: 'failed',
  });
  const silent = quiet({ unknown: 1 });
  const two = place(silent);
  at(silent, '100');
  expect(handleCommand(silent, command('position.close', { no: two, amount: '1' }))).toBeUndefined();
  expect(at(silent, '100', 90_000)).toEqual([]);
  const late = quiet({ late: 1 });
  const three = place(late, {}, { takeProfit: '105' });
  at(late, '100');
  expect(handleCommand(late, command('position.close', { no: three, amount: '4' }))).toBeUndefined();
  expect(handleCommand(late, command('position.close', { no: three, amount: '4' }))).toBeUndefined();
  expect(eventsOf(at(late, '101', 90_000), 'position.closed')).toHaveLength(1);
  expect(late.state.acks).toEqual([{ id: 7, state: 'done' }]);
  expect(handleCommand(late, command('position.close', { no: three, amount: '4' }, 8))).toBeUndefined();
  at(late, '106');
  at(late, '106', 90_000);
  expect(late.state.acks.at(-1)).toMatchObject({ id: 8, state: 'failed' });
});
