// @module-tag full
import { expect, test } from 'vitest';
import { START, runPresent, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { D } from './amount.ts';
import { DAY_MS } from './rhythm.ts';
import { createIeo } from './ieo.ts';
import { handleCommand } from './simulation.ts';

const { world, history } = simulatePast('ieo', START, { users: 600, days: 60 });
const imported = eventsOf(history, 'ieo.imported').map(({ at, data }) => ({ at, ...data }));
const waiting = eventsOf(history, 'ieo.ordered').map(({ at, data }) => ({ at, ...data }));

test('the past has mostly passed and paid subscriptions, and some wait at the start', () => {
  expect(imported.length).toBeGreaterThan(30);
  expect(imported.length).toBeLessThan(120);
  const shares = [1, 2, 3].map((state) => imported.filter((one) => one.state === state).length / imported.length);
  expect(shares[0]).toBeGreaterThan(0.6);
  for (const { at, state, reviewedAt, by, reason, booked } of imported) {
    expect([by === undefined, reviewedAt === undefined]).toEqual([state === 3, state === 3]);
    expect(reason === undefined).toBe(state !== 2);
    expect(booked === true).toBe(state === 1);
    expect(reviewedAt ?? at).toBeGreaterThanOrEqual(at);
    expect(reviewedAt ?? at).toBeLessThanOrEqual(START);
  }
  expect(waiting.length).toBeGreaterThanOrEqual(6);
  for (const { at } of waiting) expect(at).toBeGreaterThan(START - 3 * 3_600_000);
  expect(Object.keys(world.state.subscriptions).toSorted()).toEqual(waiting.map(({ no }) => no).toSorted());
});

test('each round has one price and later rounds cost more', () => {
  const rounds = new Map<string, number[]>();
  for (const { at, price } of [...imported, ...waiting]) rounds.set(price, [...(rounds.get(price) ?? []), at]);
  const order = [...rounds].toSorted(([a], [b]) => Number(a) - Number(b));
  expect(order.length).toBe(2);
  const [early = [], late = []] = order.map(([, times]) => times);
  expect(Math.max(...early)).toBeLessThan(Math.min(...late));
  expect(Math.max(...late) - Math.min(...late)).toBeLessThan(33 * DAY_MS);
});

test('subscriptions are for whole tokens and at least the smallest value', () => {
  for (const { price, amount } of [...imported, ...waiting]) {
    expect(new D(amount).isInteger()).toBe(true);
    expect(new D(price).mul(amount).gte(20)).toBe(true);
  }
});

test('new requests stop at the limit, some are cancelled, and decided ones are forgotten', () => {
  const events = runPresent(world, 5_400);
  const cancelled = eventsOf(events, 'ieo.cancelled').map(({ data }) => data.no);
  expect(eventsOf(events, 'ieo.ordered').length).toBeGreaterThan(8);
  expect(cancelled.length).toBeGreaterThan(0);
  expect(new Set(cancelled).size).toBe(cancelled.length);
  const open = Object.keys(world.state.subscriptions);
  expect(open.length).toBeLessThanOrEqual(40);
  for (const no of cancelled) expect(open).not.toContain(no);
  const [first = ''] = open;
  const command = {
    seq: 1,
    id: 1,
    type: 'ieo.reviewed' as const,
    at: START,
    attempt: 1,
    data: { no: first, state: 1 },
  };
  expect(handleCommand(world, command)).toEqual({ id: 1, state: 'done' });
  expect(Object.keys(world.state.subscriptions)).not.toContain(first);
});

test('users closed for subscribing place no requests until they are opened again', () => {
  const setSubscribing = (ieoBuy: 0 | 1) => {
    for (const [id, { account }] of world.users.entries()) {
      const data = { account, state: 1, trade: 1, ieoBuy, ieoSell: 1, ai: 0, winType: 0, winRate: '0' };
      handleCommand(world, { seq: 1, id, type: 'user.updated' as const, at: START, attempt: 1, data });
    }
  };
  const countRequests = () => {
    for (let tries = 0; tries < 5; tries += 1) createIeo(world);
    return eventsOf(world.state.queue.splice(0), 'ieo.ordered').length;
  };
  world.state.subscriptions = {};
  setSubscribing(0);
  expect(countRequests()).toBe(0);
  setSubscribing(1);
  expect(countRequests()).toBeGreaterThan(0);
});
