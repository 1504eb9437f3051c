// @module-tag full
import { expect, test } from 'vitest';
import { START, goOn, of, settled } from '../test/settled.ts';
import { D } from './amount.ts';
import { DAY } from './rhythm.ts';
import { newIeo } from './ieo.ts';
import { handleCommand } from './simulation.ts';

const { world, told } = settled('ieo', START, { users: 600, days: 60 });
const imported = of(told, 'ieo.imported').map(({ at, data }) => ({ at, ...data }));
const waiting = of(told, 'ieo.ordered').map(({ at, data }) => ({ at, ...data }));

test('the past has some subscriptions, most of them passed and paid for, and a new operator finds some that wait', () => {
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

test('a round has one price, and later ones ask for more', () => {
  const rounds = new Map<string, number[]>();
  for (const { at, price } of [...imported, ...waiting]) rounds.set(price, [...(rounds.get(price) ?? []), at]);
  const order = [...rounds].toSorted(([a], [b]) => Number(a) - Number(b));
  expect(order.length).toBe(2);
  const [early = [], late = []] = order.map(([, times]) => times);
  expect(Math.max(...early)).toBeLessThan(Math.min(...late));
  expect(Math.max(...late) - Math.min(...late)).toBeLessThan(33 * DAY);
});

test('whole tokens, worth something to everybody', () => {
  for (const { price, amount } of [...imported, ...waiting]) {
    expect(new D(amount).isInteger()).toBe(true);
    expect(new D(price).mul(amount).gte(20)).toBe(true);
  }
});

test('new ones come in until enough wait, some are taken back, and those decided are forgotten', () => {
  const events = goOn(world, 5_400);
  const cancelled = of(events, 'ieo.cancelled').map(({ data }) => data.no);
  expect(of(events, 'ieo.ordered').length).toBeGreaterThan(8);
  expect(cancelled.length).toBeGreaterThan(0);
  expect(new Set(cancelled).size).toBe(cancelled.length);
  const open = Object.keys(world.state.subscriptions);
  expect(open.length).toBeLessThanOrEqual(40);
  for (const no of cancelled) expect(open).not.toContain(no);
  const [first = ''] = open;
  const about = { seq: 1, id: 1, type: 'ieo.reviewed' as const, at: START, attempt: 1, data: { no: first, state: 1 } };
  expect(handleCommand(world, about)).toEqual({ id: 1, state: 'done' });
  expect(Object.keys(world.state.subscriptions)).not.toContain(first);
});

test('who was closed for subscribing does not, until it is open again', () => {
  const turn = (ieoBuy: 0 | 1) => {
    for (const [id, { account }] of world.users.entries()) {
      const data = { account, state: 1, trade: 1, ieoBuy, ieoSell: 1, ai: 0, winType: 0, winRate: '0' };
      handleCommand(world, { seq: 1, id, type: 'user.updated' as const, at: START, attempt: 1, data });
    }
  };
  const wishes = () => {
    for (let tries = 0; tries < 5; tries += 1) newIeo(world);
    return of(world.state.queue.splice(0), 'ieo.ordered').length;
  };
  world.state.subscriptions = {};
  turn(0);
  expect(wishes()).toBe(0);
  turn(1);
  expect(wishes()).toBeGreaterThan(0);
});
