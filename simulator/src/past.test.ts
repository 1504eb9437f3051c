// @module-tag full
import { eventData, type PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { Event } from '@hengtai/contract/gateway/schema';
import { Value } from '@sinclair/typebox/value';
import { expect, test } from 'vitest';
import { MARKETS } from '../test/fake-gateway.ts';
import { SCALE, START, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { trackFutureMoney } from '../test/future-money.ts';
import { trackSpotMoney } from '../test/spot-money.ts';
import { AGENTS } from './agent.ts';
import { D } from './amount.ts';
import { amountDecimals } from './market.ts';
import { estimateProgress } from './past.ts';
import { DAY_MS, HOUR_MS, startOfDay } from './rhythm.ts';

const WEEK = 7 * DAY_MS;
const { world, batches, history } = simulatePast('past');
const dawn = startOfDay(START) - SCALE.days * DAY_MS;
const others = history.filter((event) => event.type !== 'tick');
/** Enough users for vouchers and for customers of nearly every agent. */
const { history: large } = simulatePast('tree', START, { users: 600, days: 8 });

/** The events with times relative to the midnight before the start. */
const relative = (events: readonly PlatformEvent[], start: number) =>
  JSON.parse(
    JSON.stringify(
      events.map((event) => ({
        ...event,
        at: event.at - startOfDay(start),
        data: Object.fromEntries(
          Object.entries(event.data).map(([name, value]) => [
            name,
            ['at', 'reviewedAt'].includes(name) ? Number(value) - startOfDay(start) : name === 'voucher' ? '' : value,
          ]),
        ),
      })),
    ),
  ) as unknown;

test('the same seed gives the same past, and another seed a different one', () => {
  expect(simulatePast('past').history).toEqual(history);
  const ids = new Set(history.map((event) => event.eventId));
  expect(simulatePast('other').history.some((event) => ids.has(event.eventId))).toBe(false);
});

test('a start on the same weekday of another week gives the same events at the same times', () => {
  expect(relative(simulatePast('past', START + WEEK).history, START + WEEK)).toEqual(relative(history, START));
});

test('a later start on the same day only adds events', () => {
  // Waiting requests and their effects belong to the last hours before the start.
  const settledBy = (at: number) => (event: PlatformEvent) => event.at < at - 3 * HOUR_MS;
  const later = simulatePast('past', START + HOUR_MS).history.filter(settledBy(START));
  expect(later).toEqual(history.filter(settledBy(START)));
});

test('events match the contract, have unique ids and are not after the start', () => {
  for (const event of history) {
    const errors = [...Value.Errors(Event, event), ...Value.Errors(eventData[event.type], event.data)];
    expect(errors.map(({ path, message }) => `${event.type} ${path} ${message}`)).toEqual([]);
    expect(event.at).toBeLessThanOrEqual(START);
  }
  expect(new Set(history.map((event) => event.eventId)).size).toBe(history.length);
});

test('events are in time order, and ticks form separate batches before their day', () => {
  const times = (events: readonly PlatformEvent[]) => events.map(({ at }) => at);
  expect(times(others)).toEqual(times(others).toSorted((a, b) => a - b));
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(1_000);
    expect(new Set(batch.map(({ type }) => type === 'tick')).size).toBe(1);
  }
  for (const market of ['BTC', 'ETH', 'SOL', 'XRP', 'HTT']) {
    const ticks = eventsOf(history, 'tick').filter(({ data }) => data.market === market);
    expect(times(ticks)).toEqual(times(ticks).toSorted((a, b) => a - b));
    // Every hour, and every minute since yesterday.
    expect(ticks.length).toBeGreaterThan((SCALE.days - 2) * 24 + 24 * 60);
  }
});

test('users join after their agent, and their events come after they joined', () => {
  const joined = new Map<string, number>();
  for (const event of others) {
    if (event.type === 'agent.registered') {
      if (event.data.parent) expect(joined.get(event.data.parent)).toBeLessThan(event.at);
      joined.set(event.data.account, event.at);
    } else if (event.type === 'user.registered') {
      if (event.data.agent) expect(joined.get(event.data.agent)).toBeLessThan(event.at);
      expect(joined.has(event.data.account)).toBe(false);
      joined.set(event.data.account, event.at);
    } else if ('account' in event.data) {
      expect(joined.get(event.data.account ?? '')).toBeLessThanOrEqual(event.at);
    }
  }
  expect(eventsOf(history, 'user.registered').length).toBeGreaterThanOrEqual(SCALE.users);
});

test('no balance becomes negative, and the final balances match the state', () => {
  const balances = new Map<string, InstanceType<typeof D>>();
  const move = (key: string, amount: InstanceType<typeof D>): void => {
    const sum = (balances.get(key) ?? new D(0)).plus(amount);
    expect(sum.gte(0), key).toBe(true);
    balances.set(key, sum);
  };
  const recharges = new Map<string, { key: string; amount: string }>();
  const spot = trackSpotMoney(move, amountDecimals);
  const future = trackFutureMoney(move, (key) => balances.get(key) ?? new D(0));
  for (const event of history) {
    spot(event);
    future(event);
    const { type, data } = event;
    if (type === 'recharge.detected' || (type === 'recharge.credited' && data.account !== undefined)) {
      recharges.set(data.no, { key: `${data.account}|${data.market}|1`, amount: data.amount ?? '' });
    }
    if (type === 'recharge.credited' || type === 'recharge.reversed') {
      const { key = '', amount = '0' } = recharges.get(data.no) ?? {};
      move(key, new D(amount).mul(type === 'recharge.credited' ? 1 : -1));
    } else if (type === 'withdraw.requested' || (type === 'withdraw.imported' && data.booked)) {
      move(`${data.account}|${data.market}|1`, new D(data.amount).neg());
    } else if (type === 'ieo.ordered' || (type === 'ieo.imported' && data.booked)) {
      move(`${data.account}|USDT|1`, new D(data.price).mul(data.amount).neg());
      if (type === 'ieo.imported') move(`${data.account}|${data.market}|1`, new D(data.amount));
    } else if (type === 'second.opened') {
      // The server computes the outcome.
      move(`${data.account}|USDT|4`, new D(data.amount).neg());
    } else if (type === 'transfer.made') {
      move(`${data.account}|${data.market}|${data.platform}`, new D(data.amount).neg());
      move(`${data.toAccount}|${data.market}|${data.toPlatform}`, new D(data.amount));
    }
  }
  const left = [...balances].filter(([, sum]) => !sum.isZero()).map(([key, sum]) => [key, sum.toFixed()]);
  expect(Object.fromEntries(left)).toEqual(world.state.balances);
});

test('withdrawals respect the minimum and the fee of their market', () => {
  const all = [...eventsOf(history, 'withdraw.imported'), ...eventsOf(history, 'withdraw.requested')];
  for (const { data } of all) {
    const market = MARKETS.find((one) => one.marketName === data.market);
    expect(Number(data.amount)).toBeGreaterThanOrEqual(Number(market?.withdrawMin));
    expect(data.fee).toBe(data.market === 'USDT' && data.network === 'ERC20' ? '5' : market?.withdrawFee);
  }
  for (const { at, data } of eventsOf(history, 'withdraw.imported')) {
    if (data.state === 6) expect(data.by).toBeUndefined();
    else expect(data.reviewedAt).toBeGreaterThanOrEqual(at);
    expect(data.booked).toBe(data.state === 4 ? true : undefined);
  }
});

test('about twenty withdrawals wait at the start and cover every kind of risk', () => {
  const requests = eventsOf(history, 'withdraw.requested').map((event) => event.data);
  expect(requests.length).toBeGreaterThanOrEqual(18);
  expect(Object.keys(world.state.open)).toEqual(requests.map(({ no }) => no));
  expect(requests.some((one) => one.market === 'USDT' && Number(one.amount) > 10_000)).toBe(true);
  const paidTo = new Set(eventsOf(history, 'withdraw.imported').map((event) => event.data.address));
  expect(requests.some((one) => paidTo.has(one.address))).toBe(true);
  expect(requests.some((one) => !paidTo.has(one.address))).toBe(true);
  const shared = requests.filter((one) =>
    requests.some((other) => other.address === one.address && other.account !== one.account),
  );
  expect(shared.length).toBeGreaterThanOrEqual(2);
  const changed = new Set(eventsOf(history, 'user.credential').map((event) => event.data.account));
  expect(requests.some((one) => changed.has(one.account))).toBe(true);
});

test('amounts have a long tail and are often round', () => {
  const amounts = [...eventsOf(history, 'recharge.credited'), ...eventsOf(history, 'recharge.detected')]
    .filter(({ data }) => data.market === 'USDT')
    .map(({ data }) => Number(data.amount))
    .toSorted((a, b) => a - b);
  const median = amounts[Math.floor(amounts.length / 2)] ?? 0;
  const mean = amounts.reduce((a, b) => a + b, 0) / amounts.length;
  expect(mean).toBeGreaterThan(2 * median);
  const round = amounts.filter((amount) => amount % 10 === 0).length / amounts.length;
  expect(round).toBeGreaterThan(0.4);
  expect(round).toBeLessThan(0.9);
});

test('evenings have far more events than nights', () => {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { at } of others) {
    if (at < dawn) continue;
    const hour = Math.floor((at - dawn) / HOUR_MS) % 24;
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  const sum = (from: number, to: number): number => hours.slice(from, to).reduce((a, b) => a + b, 0);
  expect(sum(19, 22)).toBeGreaterThan(3 * sum(2, 5));
});

test('vouchers are small SVG images marked as simulated', () => {
  const vouchers = [...eventsOf(large, 'recharge.detected'), ...eventsOf(large, 'recharge.credited')].flatMap(
    ({ data }) => (data.voucher === undefined ? [] : [data.voucher]),
  );
  expect(vouchers.length).toBeGreaterThan(0);
  for (const voucher of vouchers) {
    expect(voucher.length).toBeLessThan(10_000);
    const text = Buffer.from(voucher.split(',')[1] ?? '', 'base64').toString();
    expect(text).toMatch(/^<svg .*模拟数据.*<\/svg>$/);
  }
});

test('the agent tree is five levels deep, with large, medium, dormant and new branches', () => {
  const parents = new Map(AGENTS.map(({ account, parent }) => [account, parent]));
  const path = (account: string | undefined): string[] =>
    account === undefined ? [] : [...path(parents.get(account)), account];
  expect(AGENTS.length).toBeGreaterThanOrEqual(40);
  expect(AGENTS.length).toBeLessThanOrEqual(80);
  expect(Math.max(...AGENTS.map(({ account }) => path(account).length))).toBe(5);
  const customers = new Map<string, number>();
  for (const { data } of eventsOf(large, 'user.registered')) {
    for (const account of path(data.agent)) customers.set(account, (customers.get(account) ?? 0) + 1);
  }
  const roots = AGENTS.filter(({ parent }) => parent === undefined).map(({ account }) => customers.get(account) ?? 0);
  const [largest = 0, second = 0, third = 0] = roots.toSorted((a, b) => b - a);
  expect(largest).toBeGreaterThan(2 * second);
  expect(third).toBeGreaterThan(10);
  expect(AGENTS.some(({ account }) => !customers.has(account))).toBe(true);
  expect(AGENTS.some(({ days }) => days < 3)).toBe(true);
});

test('the estimated progress follows the number of events', () => {
  const progressAt = estimateProgress(world);
  let done = 0;
  let last = 0;
  for (const batch of batches) {
    done += batch.length;
    const progress = progressAt(batch);
    expect(progress).toBeGreaterThanOrEqual(last);
    expect(Math.abs(progress - done / history.length)).toBeLessThan(0.06);
    last = progress;
  }
  expect(last).toBeGreaterThan(0.9);
});
