// @module-tag full
// @module-tag soak
import { eventData, type PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { Event } from '@hengtai/contract/gateway/schema';
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import { Value } from '@sinclair/typebox/value';
import { beforeAll, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { START, runPresent, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { trackFutureMoney } from '../test/future-money.ts';
import { trackSpotMoney } from '../test/spot-money.ts';
import { D } from './amount.ts';
import { amountDecimals } from './market.ts';
import { handleCommand } from './simulation.ts';
import type { World } from './world.ts';

/** Simulates the past of a seed and some seconds after the start. */
function simulate(seed: string, seconds: number, onEvent?: (world: World, event: PlatformEvent) => void) {
  const { world, history } = simulatePast(seed);
  return { world, history, events: runPresent(world, seconds, onEvent) };
}

const LONG_SECONDS = sized({ full: 1_800, long: 7_200 });

/** A long present with its past; tests only read it. */
function simulateLong() {
  const { world, history } = simulatePast('prices');
  const balances = { ...world.state.balances };
  return { world, history, balances, events: runPresent(world, LONG_SECONDS) };
}
let long: ReturnType<typeof simulateLong>;
beforeAll(() => {
  long = simulateLong();
});

test('the same seed gives the same events, and another seed different ones', () => {
  const first = simulate('one', 120).events;
  expect(simulate('one', 120).events).toEqual(first);
  const ids = new Set(first.map((event) => event.eventId));
  expect(simulate('two', 120).events.some((event) => ids.has(event.eventId))).toBe(false);
});

test('events match the contract and have ids that the past did not use', () => {
  const { history, events } = simulate('contract', 600);
  for (const event of events) {
    expect([...Value.Errors(Event, event), ...Value.Errors(eventData[event.type], event.data)]).toEqual([]);
    expect(event.at).toBeLessThanOrEqual(START + 600_000);
  }
  const ids = [...history, ...events].map((event) => event.eventId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const type of ['recharge.detected', 'withdraw.requested', 'user.login', 'user.registered'] as const) {
    expect(eventsOf(events, type).length, type).toBeGreaterThan(0);
  }
});

test('no balance becomes negative', () => {
  const { history, events } = long;
  const balances = new Map(Object.entries(long.balances).map(([key, value]) => [key, new D(value)]));
  const add = (key: string, amount: InstanceType<typeof D>) => {
    const sum = (balances.get(key) ?? new D(0)).plus(amount);
    expect(sum.gte(0), key).toBe(true);
    balances.set(key, sum);
  };
  const recharges = new Map(eventsOf(history, 'recharge.detected').map(({ data }) => [data.no, data]));
  const requests = new Map(eventsOf(history, 'withdraw.requested').map(({ data }) => [data.no, data]));
  const subscriptions = new Map(eventsOf(history, 'ieo.ordered').map(({ data }) => [data.no, data]));
  // Open orders of the past continue here; their earlier changes are in the balances already.
  let present = false;
  const spot = trackSpotMoney((key, change) => present && add(key, change), amountDecimals);
  const future = trackFutureMoney(
    (key, change) => present && add(key, change),
    (key) => balances.get(key) ?? new D(0),
  );
  history.forEach(spot);
  history.forEach(future);
  present = true;
  for (const event of events) {
    spot(event);
    future(event);
    const { type, data } = event;
    if (type === 'recharge.detected') recharges.set(data.no, data);
    else if (type === 'recharge.credited' || type === 'recharge.reversed') {
      const of = recharges.get(data.no);
      add(`${of?.account}|${of?.market}|1`, new D(of?.amount ?? 0).mul(type === 'recharge.credited' ? 1 : -1));
    } else if (type === 'withdraw.requested') {
      requests.set(data.no, data);
      add(`${data.account}|${data.market}|1`, new D(data.amount).neg());
    } else if (type === 'withdraw.cancelled') {
      const of = requests.get(data.no);
      add(`${of?.account}|${of?.market}|1`, new D(of?.amount ?? 0));
    } else if (type === 'ieo.ordered') {
      subscriptions.set(data.no, data);
      add(`${data.account}|USDT|1`, new D(data.price).mul(data.amount).neg());
    } else if (type === 'ieo.cancelled') {
      const of = subscriptions.get(data.no);
      add(`${of?.account}|USDT|1`, new D(of?.price ?? 0).mul(of?.amount ?? 0));
    } else if (type === 'transfer.made') {
      add(`${data.account}|${data.market}|${data.platform}`, new D(data.amount).neg());
      add(`${data.toAccount}|${data.market}|${data.toPlatform}`, new D(data.amount));
    }
  }
  expect(requests.size).toBeGreaterThan(50);
});

test('new withdrawals stop at sixty undecided ones, and users cancel some', () => {
  const { world, history, events } = long;
  expect(Object.keys(world.state.open).length).toBeLessThanOrEqual(60);
  const cancelled = eventsOf(events, 'withdraw.cancelled').length;
  expect(cancelled).toBeGreaterThan(0);
  const request = eventsOf(events, 'withdraw.requested').length + eventsOf(history, 'withdraw.requested').length;
  expect(request).toBeLessThanOrEqual(60 + cancelled);
});

test('prices continue from the past every two seconds and stay near their level', () => {
  const { world, history } = simulatePast('prices');
  const events = runPresent(world, 200, undefined, 1_000);
  const ticks = eventsOf(events, 'tick').filter((event) => event.data.market === 'BTC');
  expect(ticks.length).toBeGreaterThan(95);
  let last = Number(eventsOf(history, 'tick').findLast((event) => event.data.market === 'BTC')?.data.price);
  for (const { data } of ticks) {
    expect(Math.abs(Number(data.price) / last - 1)).toBeLessThan(0.01);
    last = Number(data.price);
    expect(last).toBeGreaterThan(60_000);
    expect(last).toBeLessThan(140_000);
  }
});

test('payouts fail or stay unknown in the configured shares, and mostly succeed on retry', () => {
  const { world } = simulatePast('shares');
  const share = (attempt: number) => {
    const states = { done: 0, failed: 0, unknown: 0, none: 0 };
    for (let number = 0; number < 2_000; number += 1) {
      const ack = handleCommand(world, payout(number, `X${number}`, attempt));
      states[ack?.state ?? 'none'] += 1 / 2_000;
    }
    return states;
  };
  const first = share(1);
  for (const [found, expected] of [
    [first.failed, 0.04],
    [first.unknown, 0.02],
    [first.none, 0.02],
    [first.done, 0.92],
  ] as const) {
    expect(Math.abs(found - expected)).toBeLessThan(0.012);
  }
  expect(share(2).done).toBeGreaterThan(0.97);
});

test('a repeated payout gets the same ack and is paid once', () => {
  const { world } = simulatePast('twice');
  Object.assign(world.options, { fail: 0, unknown: 0 });
  const acks = [
    handleCommand(world, payout(1, 'X1', 1)),
    handleCommand(world, payout(2, 'X1', 1)),
    handleCommand(world, payout(3, 'X1', 2)),
  ];
  expect(acks).toEqual([
    { id: 1, state: 'done' },
    { id: 2, state: 'done' },
    { id: 3, state: 'done' },
  ]);
  const events = runPresent(world, 60);
  const paid = eventsOf(events, 'withdraw.paid').filter((event) => event.data.no === 'X1');
  expect(paid).toHaveLength(2);
  expect(new Set(paid.map((event) => event.data.txHash)).size).toBe(2);
  const announced = eventsOf(events, 'withdraw.paying').filter((event) => event.data.no === 'X1');
  expect(new Set(announced.map((event) => event.data.txHash))).toEqual(new Set(paid.map((event) => event.data.txHash)));
});

test('commands update requests, balances and frozen users, and unknown types are acknowledged', () => {
  const { world } = simulate('commands', 10);
  const [no = '', open] = Object.entries(world.state.open)[0] ?? [];
  const account = open?.account ?? '';
  const send = (type: string, data: object) =>
    handleCommand(world, { seq: 1, id: 9, type, at: START, attempt: 1, data } as unknown as PlatformCommand);
  expect(send('withdraw.reviewed', { no, state: 1 })).toEqual({ id: 9, state: 'done' });
  expect(world.state.open).toHaveProperty(no);
  send('withdraw.reviewed', { no, state: 5, reason: 'x' });
  expect(world.state.open).not.toHaveProperty(no);
  send('balance.changed', { account, market: 'USDT', platform: 1, active: '123.4', frozen: '0', entry: 1 });
  expect(world.state.balances[`${account}|USDT|1`]).toBe('123.4');
  send('balance.changed', { account: 'stranger', market: 'USDT', platform: 1, active: '9', frozen: '0', entry: 2 });
  expect(world.state.balances).not.toHaveProperty('stranger|USDT|1');
  send('user.updated', { account, state: 0 });
  expect(world.state.frozen).toEqual([account]);
  send('user.updated', { account, state: 1 });
  expect(world.state.frozen).toEqual([]);
  expect(send('announce.published', { title: 'x' })).toEqual({ id: 9, state: 'done' });
  expect(send('audit.head', { number: 1 })).toMatchObject({ state: 'done' });
});

function payout(id: number, no: string, attempt: number): PlatformCommand {
  const data = { no, attempt, account: 'a', market: 'USDT', network: 'TRC20', address: 'T1', memo: '', amount: '9' };
  return { seq: id, id, type: 'withdraw.payout', at: START, attempt: 1, data };
}

test('a halted market has ticks without volume, and an unlisted market has no ticks', () => {
  const { world } = simulatePast('halt');
  const halt = (type: 'market.halted' | 'market.resumed'): void => {
    const data = { marketName: 'BTC', marketType: 1, haltedAt: 0, resumeAt: 0, price: null };
    expect(handleCommand(world, { seq: 1, id: 1, type, at: 0, attempt: 1, data })).toMatchObject({
      state: 'done',
    });
  };
  const volumes = (market: string) => {
    world.state.startedAt = Math.max(world.state.startedAt, world.now + 200);
    return eventsOf(runPresent(world, 60), 'tick')
      .filter(({ data }) => data.market === market)
      .map(({ data }) => data.volume !== '0');
  };
  halt('market.halted');
  const still = volumes('BTC');
  expect(still.length).toBeGreaterThan(5);
  expect(still).not.toContain(true);
  expect(volumes('ETH')).toContain(true);
  halt('market.resumed');
  expect(volumes('BTC')).toContain(true);
  for (const market of world.markets) if (market.name === 'ETH') market.listed = false;
  expect(volumes('ETH')).toEqual([]);
});
