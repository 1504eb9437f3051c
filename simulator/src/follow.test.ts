// @module-tag full
import type { PlatformSignal } from '@hengtai/contract/gateway/commands.schema';
import { expect, test } from 'vitest';
import { START, runPresent, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { D } from './amount.ts';
import { priceOf } from './market.ts';
import { handleCommand } from './simulation.ts';

const { world } = simulatePast('follow', START, { users: 300, days: 40 });

const signal = (no: string, other: Partial<PlatformSignal> = {}): PlatformSignal => ({
  no,
  title: no,
  market: 'BTC',
  side: 1,
  leverage: 20,
  price: priceOf(world, 'BTC'),
  takeProfit: null,
  stopLoss: null,
  ratio: '10',
  minAmount: '20',
  maxAmount: '300',
  startAt: START - 1,
  endAt: START + 86_400_000,
  state: 1,
  ...other,
});
let seq = 0;
const sendCommand = (type: 'signal.published' | 'follow.close', data: object) => {
  seq += 1;
  return handleCommand(world, { seq, id: 900_000 + seq, type, at: START, attempt: 1, data } as never);
};

test('without a published signal nobody follows', () => {
  expect(eventsOf(runPresent(world, 600), 'follow.opened')).toEqual([]);
});

test('follows respect the limits of the signal, and the loss is at most the stake', () => {
  expect(sendCommand('signal.published', signal('S1'))?.state).toBe('done');
  sendCommand('signal.published', signal('S2', { side: 2, leverage: 100, maxAmount: '50' }));
  sendCommand('signal.published', signal('S3', { startAt: START + 80_000_000 }));
  const events = runPresent(world, 5_400);
  const opened = eventsOf(events, 'follow.opened').map(({ data }) => data);
  expect(opened.length).toBeGreaterThan(10);
  expect(new Set(opened.map(({ no }) => no)).size).toBe(opened.length);
  for (const { signal: no, amount } of opened) {
    expect(['S1', 'S2']).toContain(no);
    expect(new D(amount).gte(20) && new D(amount).lte(no === 'S1' ? 300 : 50)).toBe(true);
  }
  const closed = eventsOf(events, 'follow.closed').map(({ data }) => data);
  expect(closed.length).toBeGreaterThan(3);
  for (const { no, profit } of closed) {
    const stake = opened.find((one) => one.no === no)?.amount ?? '0';
    expect(new D(profit).gte(new D(stake).neg())).toBe(true);
  }
  expect(closed.some(({ profit }) => profit !== '0')).toBe(true);
  const ended = new Set(closed.map(({ no }) => no));
  expect(Object.keys(world.state.follows).toSorted()).toEqual(
    opened
      .map(({ no }) => no)
      .filter((no) => !ended.has(no))
      .toSorted(),
  );
});

test('a follow is ended once by command, and a second command fails', () => {
  const [no = ''] = Object.keys(world.state.follows);
  Object.assign(world.options, { fail: 0, unknown: 0, late: 0 });
  world.now = START;
  expect(sendCommand('follow.close', { no })?.state).toBe('done');
  const events = runPresent(world, 30);
  expect(eventsOf(events, 'follow.closed').filter(({ data }) => data.no === no)).toHaveLength(1);
  expect(sendCommand('follow.close', { no })?.state).toBe('failed');
});

test('an ended signal gets no new follows and keeps the existing ones', () => {
  const openFollows = Object.keys(world.state.follows).length;
  for (const no of ['S1', 'S2', 'S3']) sendCommand('signal.published', signal(no, { state: 2 }));
  expect(Object.keys(world.state.follows)).toHaveLength(openFollows);
  expect(eventsOf(runPresent(world, 900), 'follow.opened')).toEqual([]);
});
