// @module-tag full
import { expect, test } from 'vitest';
import { START, runPresent, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { D } from './amount.ts';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/values/money';
import { applyAnswer } from './simulation.ts';
import { balanceOf } from './world.ts';

const { world, history } = simulatePast('second', START, { users: 600, days: 60 });
const past = eventsOf(history, 'second.opened');

test('past contracts of the last days open and end shortly before a tick', () => {
  expect(past.length).toBeGreaterThan(20);
  expect(past.length).toBeLessThanOrEqual(60);
  for (const { at, data } of past) {
    const ticks = eventsOf(history, 'tick').filter((tick) => tick.data.market === data.market);
    for (const moment of [at, at + data.seconds * 1_000]) {
      const next = ticks.find((tick) => tick.at >= moment);
      expect((next?.at ?? Infinity) - moment).toBeLessThanOrEqual(20_000);
    }
  }
});

test('new contracts use every length, unique numbers and stakes within the limits', () => {
  const events = eventsOf(runPresent(world, 2_400), 'second.opened');
  expect(events.length).toBeGreaterThan(100);
  expect(new Set(events.map(({ data }) => data.seconds))).toEqual(new Set([30, 60, 120, 300]));
  expect(new Set(events.map(({ data }) => data.no)).size).toBe(events.length);
  for (const { data } of events) {
    expect(new D(data.amount).gte(10) && new D(data.amount).lte(5_000)).toBe(true);
    expect(Object.keys(data)).not.toContain('price');
  }
});

test('a rejected contract refunds its stake', () => {
  const [one] = past;
  if (!one) throw new Error('the past has no binary contract');
  const before = balanceOf(world, one.data.account, SETTLEMENT, PLATFORM.second);
  applyAnswer(world, one, { eventId: one.eventId, result: 'rejected', reason: 'halted' });
  const after = balanceOf(world, one.data.account, SETTLEMENT, PLATFORM.second);
  expect(after.minus(before).toFixed()).toBe(one.data.amount);
});
