// @module-tag full
import { eventData, type PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { Value } from '@sinclair/typebox/value';
import { expect, test } from 'vitest';
import { applyAll, runWallets } from '../../test/run-wallets.ts';
import { eventsOf, simulatePast } from '../../test/simulate-past.ts';
import { findRepeated, trackWalletMoney } from '../../test/wallet-money.ts';
import { CHAIN_FAULTS, type ChainFault, createFaultInjector } from './faults.ts';

const COUNT = 3;

function simulate(): PlatformEvent[] {
  const { world, history } = simulatePast('faults');
  Object.assign(world.options, { fail: 0, unknown: 0 });
  const events = history.filter(({ type }) => type !== 'tick');
  for (const batch of runWallets(world, 20)) {
    events.push(...batch);
    applyAll(world, batch);
  }
  return events;
}
const events = simulate();

function inject(fault: ChainFault) {
  const injector = createFaultInjector('faults');
  const half = events.length / 2;
  const first = injector.change(events.slice(0, half));
  for (let left = COUNT; left > 0; left -= 1) injector.plan(fault);
  const sent = [...first, ...injector.change(events.slice(half))];
  const byId = new Map(sent.map((event) => [event.eventId, event]));
  const missing = events.filter(({ eventId }) => !byId.has(eventId));
  const known = new Map(events.map((event) => [event.eventId, event]));
  const added = sent.filter(({ eventId }) => !known.has(eventId));
  const changed = sent.filter((event) => {
    const before = known.get(event.eventId);
    return before && JSON.stringify(before) !== JSON.stringify(event);
  });
  return { injected: injector.injected, sent, missing, added, changed };
}

/** How an independent reader sees the events. */
function audit(sent: readonly PlatformEvent[]) {
  const money = trackWalletMoney();
  sent.forEach(money.onEvent);
  const repeated = findRepeated(sent);
  return { differences: money.findDifferences((no) => repeated.has(no)), faults: money.faults };
}

test('without a plan the events stay as they are', () => {
  expect(createFaultInjector('faults').change(events)).toEqual(events);
});

test.each(CHAIN_FAULTS)('%s: is put into as many events as planned, which keep the contract', (fault) => {
  const { injected, sent } = inject(fault);
  const withMemo = eventsOf(events.slice(events.length / 2), 'chain.moved').filter(
    ({ data }) => data.memo !== undefined,
  );
  const count = fault === 'memo' ? Math.min(COUNT, withMemo.length) : COUNT;
  expect(count).toBeGreaterThan(0);
  expect(injected.map((one) => one.fault)).toEqual(Array.from({ length: count }, () => fault));
  for (const event of sent.filter(({ type }) => /^(wallet|chain)\./.test(type)))
    expect([...Value.Errors(eventData[event.type], event.data)]).toEqual([]);
  expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(sent.length);
  expect(inject(fault).sent).toEqual(sent);
});

test.each(['digit', 'coin', 'network', 'account', 'memo', 'balance'] as const)(
  '%s: changes only its events',
  (fault) => {
    const { injected, missing, added, changed } = inject(fault);
    expect([missing, added]).toEqual([[], []]);
    expect(changed.map(({ eventId }) => eventId)).toEqual(injected.map(({ event }) => event.eventId));
  },
);

test('missing: the move is never sent, and the wallet lacks it', () => {
  const { injected, sent, missing } = inject('missing');
  expect(missing.map(({ eventId }) => eventId)).toEqual(injected.map(({ event }) => event.eventId));
  expect(audit(sent).faults.length).toBeGreaterThan(0);
});

test('late: the move comes days later, with its own time', () => {
  const { injected, sent, changed } = inject('late');
  expect(changed).toEqual([]);
  for (const { event } of injected) {
    const place = sent.findIndex(({ eventId }) => eventId === event.eventId);
    if (place >= 0) expect((sent[place - 1]?.at ?? 0) - event.at).toBeGreaterThan(86_400_000);
  }
  expect(audit(sent).faults.length).toBeGreaterThan(0);
});

test('double: the same move has a second number', () => {
  const { injected, added, changed } = inject('double');
  expect(changed).toEqual([]);
  expect(added.map(({ data }) => data)).toEqual(
    injected.map(({ event: { data } }) => ({ ...data, no: `${'no' in data ? data.no : ''}d` })),
  );
});

test('outflow: money is gone that nobody ordered; wallets agree with their readings, custody does not', () => {
  const { sent, added } = inject('outflow');
  expect(eventsOf(added, 'chain.moved').map(({ data }) => data.kind)).toEqual(['other', 'other', 'other']);
  const { differences, faults } = audit(sent);
  expect(faults).toEqual([]);
  expect(Object.keys(differences).length).toBeGreaterThan(0);
});

test('revert: a credited deposit leaves the chain and the wallets, and stays credited', () => {
  const { injected, sent, added } = inject('revert');
  expect(added.map(({ type }) => type)).toEqual(['chain.reverted', 'chain.reverted', 'chain.reverted']);
  expect(injected.every(({ event }) => event.type === 'recharge.credited')).toBe(true);
  const { differences, faults } = audit(sent);
  expect(faults).toEqual([]);
  expect(Object.keys(differences).length).toBeGreaterThan(0);
});

test('fee: nobody states what the chain took', () => {
  const { injected, sent, added, missing } = inject('fee');
  expect([missing, added]).toEqual([[], []]);
  const hashes = new Set(injected.map(({ event: { data } }) => ('txHash' in data ? data.txHash : '')));
  const stated = sent.filter(({ data }) => 'txHash' in data && hashes.has(data.txHash));
  expect(stated.length).toBeGreaterThan(COUNT);
  for (const { data } of stated) expect(Object.keys(data)).not.toContain('fee');
  for (const { data } of stated) expect(Object.keys(data)).not.toContain('chainFee');
  expect(audit(sent).faults.length).toBeGreaterThan(0);
});
