// @module-tag full
import { eventData, type PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { Value } from '@sinclair/typebox/value';
import { beforeAll, expect, test } from 'vitest';
import { applyAll, runWallets } from '../../test/run-wallets.ts';
import { START, eventsOf, runPresent, simulatePast } from '../../test/simulate-past.ts';
import { findRepeated, trackWalletMoney } from '../../test/wallet-money.ts';
import { D } from '../amount.ts';
import { DAY_MS } from '../rhythm.ts';
import { handleCommand } from '../simulation.ts';

const DAYS = 30;

function simulateMonth(seed: string) {
  const { world, history } = simulatePast(seed);
  Object.assign(world.options, { fail: 0.02, unknown: 0 });
  const events: PlatformEvent[] = [];
  for (const batch of runWallets(world, DAYS)) {
    events.push(...batch);
    applyAll(world, batch);
  }
  return { world, history, events };
}

let month: ReturnType<typeof simulateMonth>;
beforeAll(() => {
  month = simulateMonth('wallets');
});

test('after any time custody is what the wallets hold and what is under way, and each reading is what the moves say', () => {
  const events = [...month.history, ...month.events];
  const repeated = findRepeated(events);
  const money = trackWalletMoney();
  let day = START;
  let compared = 0;
  for (const event of events) {
    if (event.at >= day) {
      expect(
        money.findDifferences((no) => repeated.has(no)),
        new Date(day).toISOString(),
      ).toEqual({});
      day += DAY_MS;
      compared += 1;
    }
    money.onEvent(event);
  }
  expect(money.findDifferences((no) => repeated.has(no))).toEqual({});
  expect(compared).toBe(DAYS);
  expect(money.faults).toEqual([]);
  expect(money.countReadings()).toBeGreaterThan(DAYS * 20);
  for (const { amount } of month.world.state.treasury?.wallets ?? []) expect(new D(amount).gte(0)).toBe(true);
});

test('wallets of each kind move, and nothing but payouts goes to a stranger', () => {
  const all = [...month.history, ...month.events];
  const saved = eventsOf(all, 'wallet.saved').map(({ data }) => data);
  const kinds = new Map(saved.map(({ wallet, kind }) => [wallet, kind]));
  const own = new Set(saved.map(({ address }) => address));
  const moved = eventsOf(all, 'chain.moved').map(({ data }) => ({ ...data, of: kinds.get(data.wallet) }));
  const has = (of: string, kind: string) => moved.some((move) => move.of === of && move.kind === kind);
  for (const [of, kind] of [
    ['deposit', 'deposit'],
    ['deposit', 'move'],
    ['hot', 'move'],
    ['hot', 'payout'],
    ['cold', 'move'],
    ['gas', 'move'],
  ] as const)
    expect(has(of, kind), `${of} ${kind}`).toBe(true);
  for (const { amount, kind, address } of moved)
    if (kind !== 'payout' && amount.startsWith('-')) expect(own).toContain(address);
  expect(eventsOf(all, 'chain.reverted').length).toBeGreaterThan(0);
  expect(moved.some(({ kind, fee }) => kind === 'payout' && fee === undefined)).toBe(false);
});

test('each payment and each deposit is one move, with the fee that its payment states', () => {
  const all = [...month.history, ...month.events];
  const reverted = new Set(eventsOf(all, 'chain.reverted').map(({ data }) => data.no));
  const moves = eventsOf(all, 'chain.moved').filter(({ data }) => !reverted.has(data.no));
  const paid = eventsOf(all, 'withdraw.paid');
  expect(paid.length).toBeGreaterThan(100);
  for (const { data } of paid) {
    const found = moves.filter((move) => move.data.record === data.no && move.data.kind === 'payout');
    expect(found.map((move) => move.data)).toMatchObject([
      { txHash: data.txHash, attempt: data.attempt, fee: data.chainFee, feeMarket: data.feeMarket },
    ]);
  }
  const records = moves.flatMap(({ data }) => (data.record === undefined ? [] : [`${data.kind} ${data.record}`]));
  expect(new Set(records).size).toBe(records.length);
});

test('the events keep the contract and the order of a chain', () => {
  const events = [...month.history, ...month.events].filter(({ type }) => /^(wallet|chain)\./.test(type));
  for (const event of events) expect([...Value.Errors(eventData[event.type], event.data)]).toEqual([]);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
  const ofPast = month.history.filter(({ type }) => /^(wallet|chain)\./.test(type));
  const [first] = ofPast;
  expect(first?.type).toBe('wallet.saved');
  // Few, because each event of the past makes the first start longer.
  expect(ofPast.length).toBeLessThan(0.04 * month.history.length);
});

test('a hot wallet that cannot pay fails the payout, and pays nothing', () => {
  const { world } = simulatePast('short');
  Object.assign(world.options, { fail: 0, unknown: 0 });
  const amount = '999999999';
  const data = {
    no: 'X1',
    attempt: 1,
    account: 'a',
    market: 'USDT',
    network: 'TRC20',
    address: 'T1',
    memo: '',
    amount,
  };
  handleCommand(world, { seq: 1, id: 1, type: 'withdraw.payout', at: START, attempt: 1, data });
  const events = runPresent(world, 60);
  expect(eventsOf(events, 'withdraw.failed').map((event) => event.data)).toEqual([
    { no: 'X1', attempt: 1, reason: '热钱包余额不足' },
  ]);
  expect(eventsOf(events, 'chain.moved').some((event) => event.data.record === 'X1')).toBe(false);
});
