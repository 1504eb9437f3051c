import { Event, eventData } from '@hengtai/contract/gateway.schema';
import type { EventAnswer, PlatformCommand, PlatformEvent } from '@hengtai/contract/gateway.schema';
import { Value } from '@sinclair/typebox/value';
import { expect, test } from 'vitest';
import { MARKETS } from '../test/fake-gateway.ts';
import { D } from './amount.ts';
import { readMarkets } from './market.ts';
import { createSimulation, obey, settle, step } from './simulation.ts';
import { freshState } from './state.ts';
import { USER_COUNT } from './user.ts';
import type { World } from './world.ts';

const START = 1_760_000_000_000;

/** Runs a world by hand for some seconds against a server that applies everything. */
function play(seed: string, seconds: number, options = {}, onEvent?: (world: World, event: PlatformEvent) => void) {
  const world = createSimulation({ seed, fail: 0.08, unknown: 0.04, speed: 1, ...options }, freshState(seed));
  world.markets = readMarkets(MARKETS);
  const events: PlatformEvent[] = [];
  for (let now = START; now < START + seconds * 1_000; now += 200) {
    step(world, now);
    for (const event of world.state.queue.splice(0)) {
      events.push(event);
      const answer: EventAnswer = { eventId: event.eventId, result: 'applied' };
      settle(world, event, answer);
      onEvent?.(world, event);
    }
  }
  return { world, events };
}

const of = <T extends PlatformEvent['type']>(events: PlatformEvent[], type: T) =>
  events.filter((event): event is Extract<PlatformEvent, { type: T }> => event.type === type);

test('the same seed gives the same events, another one others', () => {
  const first = play('one', 120).events;
  expect(play('one', 120).events).toEqual(first);
  const other = play('two', 120).events;
  const ids = new Set(first.map((event) => event.eventId));
  expect(other.some((event) => ids.has(event.eventId))).toBe(false);
});

test('every event keeps the contract, and no id comes twice', () => {
  const { events } = play('contract', 600);
  for (const event of events) {
    expect([...Value.Errors(Event, event), ...Value.Errors(eventData[event.type], event.data)]).toEqual([]);
    expect(event.at).toBeLessThanOrEqual(START + 600_000);
  }
  expect(new Set(events.map((event) => event.eventId)).size).toBe(events.length);
});

test('a new operator finds users below agents, prices and about twenty requests after ten seconds', () => {
  const { events } = play('opening', 10);
  expect(of(events, 'agent.registered')).toHaveLength(12);
  expect(of(events, 'user.registered')).toHaveLength(USER_COUNT);
  expect(new Set(of(events, 'tick').map((event) => event.data.market))).toEqual(
    new Set(['BTC', 'ETH', 'SOL', 'XRP', 'HTT']),
  );
  const requests = of(events, 'withdraw.requested').map((event) => event.data);
  expect(requests.length).toBeGreaterThanOrEqual(18);
  expect(requests.length).toBeLessThanOrEqual(24);
  expect(requests.some((one) => one.market === 'USDT' && Number(one.amount) > 10_000)).toBe(true);
  const past = new Set(of(events, 'withdraw.imported').map((event) => event.data.address));
  expect(requests.some((one) => past.has(one.address))).toBe(true);
  expect(requests.some((one) => !past.has(one.address))).toBe(true);
  const shared = requests.filter((one) =>
    requests.some((other) => other.address === one.address && other.account !== one.account),
  );
  expect(shared.length).toBeGreaterThanOrEqual(2);
  const changed = new Set(of(events, 'user.credential').map((event) => event.data.account));
  expect(requests.some((one) => changed.has(one.account))).toBe(true);
});

test('nobody exists before their agent, and nothing happens to them before they joined', () => {
  const { events } = play('order', 5);
  const joined = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'agent.registered') {
      if (event.data.parent) expect(joined.get(event.data.parent)).toBeLessThan(event.at);
      joined.set(event.data.account, event.at);
    } else if (event.type === 'user.registered') {
      if (event.data.agent) expect(joined.get(event.data.agent)).toBeLessThan(event.at);
      joined.set(event.data.account, event.at);
    } else if ('account' in event.data) {
      expect(joined.get(event.data.account)).toBeLessThanOrEqual(event.at);
    }
  }
});

test('nobody asks for more than there is, for less than the least, or with another fee', () => {
  const balances = new Map<string, InstanceType<typeof D>>();
  const add = (key: string, amount: InstanceType<typeof D>) => {
    const sum = (balances.get(key) ?? new D(0)).plus(amount);
    expect(sum.gte(0), key).toBe(true);
    balances.set(key, sum);
  };
  const recharges = new Map<string, { key: string; amount: string }>();
  const requests = new Map<string, { key: string; amount: string }>();
  for (const { type, data } of play('money', 1_800).events) {
    if (type === 'recharge.detected') {
      recharges.set(data.no, { key: `${data.account} ${data.market} 1`, amount: data.amount });
    } else if (type === 'recharge.credited' || type === 'recharge.reversed') {
      const { key = '', amount = '0' } = recharges.get(data.no) ?? {};
      add(key, new D(amount).mul(type === 'recharge.credited' ? 1 : -1));
    } else if (type === 'withdraw.requested') {
      const market = MARKETS.find((one) => one.marketName === data.market);
      requests.set(data.no, { key: `${data.account} ${data.market} 1`, amount: data.amount });
      add(`${data.account} ${data.market} 1`, new D(data.amount).neg());
      expect(Number(data.amount)).toBeGreaterThanOrEqual(Number(market?.withdrawMin));
      expect(data.fee).toBe(data.market === 'USDT' && data.network === 'ERC20' ? '5' : market?.withdrawFee);
    } else if (type === 'withdraw.cancelled') {
      const { key = '', amount = '0' } = requests.get(data.no) ?? {};
      add(key, new D(amount));
    } else if (type === 'transfer.made') {
      add(`${data.account} ${data.market} ${data.platform}`, new D(data.amount).neg());
      add(`${data.toAccount} ${data.market} ${data.toPlatform}`, new D(data.amount));
    }
  }
  expect(requests.size).toBeGreaterThan(60);
});

test('it stops asking while about sixty requests are undecided, some of which their users cancel', () => {
  const { world, events } = play('cap', 3_600);
  expect(Object.keys(world.state.open).length).toBeLessThanOrEqual(60);
  const cancelled = of(events, 'withdraw.cancelled').length;
  expect(cancelled).toBeGreaterThan(0);
  expect(of(events, 'withdraw.requested').length).toBeLessThanOrEqual(60 + cancelled);
});

test('prices stay near their level and ticks come every two seconds', () => {
  const ticks = of(play('prices', 7_200).events, 'tick').filter((event) => event.data.market === 'BTC');
  expect(ticks.length).toBeGreaterThan(3_500);
  for (const { data } of ticks) {
    expect(Number(data.price)).toBeGreaterThan(70_000);
    expect(Number(data.price)).toBeLessThan(130_000);
  }
});

test('payouts fail and stay unknown in the shares asked for, and mostly succeed the second time', () => {
  const { world } = play('shares', 1);
  const share = (attempt: number) => {
    const states = { done: 0, failed: 0, unknown: 0, none: 0 };
    for (let number = 0; number < 2_000; number += 1) {
      const ack = obey(world, payout(number, `X${number}`, attempt));
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

test('a payout sent twice is answered alike and paid once', () => {
  let sent = false;
  const acks: unknown[] = [];
  const { events } = play('twice', 60, { fail: 0, unknown: 0 }, (world) => {
    if (sent) return;
    sent = true;
    acks.push(obey(world, payout(1, 'X1', 1)), obey(world, payout(2, 'X1', 1)), obey(world, payout(3, 'X1', 2)));
  });
  expect(acks).toEqual([
    { id: 1, state: 'done' },
    { id: 2, state: 'done' },
    { id: 3, state: 'done' },
  ]);
  const paid = of(events, 'withdraw.paid').filter((event) => event.data.no === 'X1');
  expect(paid).toHaveLength(2);
  expect(new Set(paid.map((event) => event.data.txHash)).size).toBe(2);
  const announced = of(events, 'withdraw.paying').filter((event) => event.data.no === 'X1');
  expect(new Set(announced.map((event) => event.data.txHash))).toEqual(new Set(paid.map((event) => event.data.txHash)));
});

test('operators decide: balances follow, frozen users ask for nothing, unknown commands are fine', () => {
  const { world } = play('commands', 10);
  const [no = '', open] = Object.entries(world.state.open)[0] ?? [];
  const account = open?.account ?? '';
  const say = (type: string, data: object) =>
    obey(world, { seq: 1, id: 9, type, at: START, attempt: 1, data } as unknown as PlatformCommand);
  expect(say('withdraw.reviewed', { no, state: 1 })).toEqual({ id: 9, state: 'done' });
  expect(world.state.open).toHaveProperty(no);
  say('withdraw.reviewed', { no, state: 5, reason: 'x' });
  expect(world.state.open).not.toHaveProperty(no);
  say('balance.changed', { account, market: 'USDT', platform: 1, active: '123.4', frozen: '0', entry: 1 });
  expect(world.state.balances[`${account}|USDT|1`]).toBe('123.4');
  say('balance.changed', { account: 'stranger', market: 'USDT', platform: 1, active: '9', frozen: '0', entry: 2 });
  expect(world.state.balances).not.toHaveProperty('stranger|USDT|1');
  say('user.updated', { account, state: 0 });
  expect(world.state.frozen).toEqual([account]);
  say('user.updated', { account, state: 1 });
  expect(world.state.frozen).toEqual([]);
  expect(say('announce.published', { title: 'x' })).toEqual({ id: 9, state: 'done' });
});

function payout(id: number, no: string, attempt: number): PlatformCommand {
  const data = { no, attempt, account: 'a', market: 'USDT', network: 'TRC20', address: 'T1', memo: '', amount: '9' };
  return { seq: id, id, type: 'withdraw.payout', at: START, attempt: 1, data };
}
