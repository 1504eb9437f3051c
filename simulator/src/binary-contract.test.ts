// @module-tag full
import { expect, test } from 'vitest';
import { START, goOn, of, settled } from '../test/settled.ts';
import { D } from './amount.ts';
import { PLATFORM, SETTLEMENT } from '@hengtai/contract/money';
import { settle } from './simulation.ts';
import { balanceOf } from './world.ts';

const { world, told } = settled('second', START, { users: 600, days: 60 });
const past = of(told, 'second.opened');

test('the last day has some, each shortly before a tick, and so is its end', () => {
  expect(past.length).toBeGreaterThan(20);
  expect(past.length).toBeLessThanOrEqual(60);
  for (const { at, data } of past) {
    const ticks = of(told, 'tick').filter((tick) => tick.data.market === data.market);
    for (const moment of [at, at + data.seconds * 1_000]) {
      const next = ticks.find((tick) => tick.at >= moment);
      expect((next?.at ?? Infinity) - moment).toBeLessThanOrEqual(20_000);
    }
  }
});

test('new ones come in all the time, on every length, and never more than there is', () => {
  const events = of(goOn(world, 2_400), 'second.opened');
  expect(events.length).toBeGreaterThan(100);
  expect(new Set(events.map(({ data }) => data.seconds))).toEqual(new Set([30, 60, 120, 300]));
  expect(new Set(events.map(({ data }) => data.no)).size).toBe(events.length);
  for (const { data } of events) {
    expect(new D(data.amount).gte(10) && new D(data.amount).lte(5_000)).toBe(true);
    expect(Object.keys(data)).not.toContain('price');
  }
});

test('a refused one gives its stake back', () => {
  const [one] = past;
  if (!one) throw new Error('none');
  const before = balanceOf(world, one.data.account, SETTLEMENT, PLATFORM.second);
  settle(world, one, { eventId: one.eventId, result: 'rejected', reason: 'halted' });
  const after = balanceOf(world, one.data.account, SETTLEMENT, PLATFORM.second);
  expect(after.minus(before).toFixed()).toBe(one.data.amount);
});
