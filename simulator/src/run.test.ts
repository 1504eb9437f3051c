// @module-tag full
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGateway, createFakeGateway, KEY, MARKETS, SECRET } from '../test/fake-gateway.ts';
import { type Clock, systemClock } from './clock.ts';
import { run } from './run.ts';
import { parseMarkets } from './market.ts';
import { createPastWorld } from './import-past.ts';
import { generatePast } from './past.ts';
import { loadState } from './state.ts';

const SEED = 'run';
const SCALE = { users: 60, days: 3 };
/** Wednesday evening in China; at night there are few events, and tests would wait for them. */
const EVENING = Date.UTC(2026, 3, 1, 12);
const BEGAN = Date.now();
const clock: Clock = { ...systemClock, now: () => EVENING + Date.now() - BEGAN };
let directory: string;
let gateway: FakeGateway;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'simulator-'));
  gateway = createFakeGateway();
  url = await gateway.listen();
});
afterEach(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true, force: true });
});

const stateFile = () => join(directory, 'simulator-state.json');

function start(options = {}) {
  const stop = new AbortController();
  const running = run({
    url,
    key: KEY,
    secret: SECRET,
    stateFile: stateFile(),
    seed: SEED,
    fail: 0,
    unknown: 0,
    late: 0,
    screenFaults: 0,
    walletFaults: {},
    speed: 20,
    users: SCALE.users,
    days: SCALE.days,
    clock,
    wait: 1,
    signal: stop.signal,
    ...options,
  });
  return async () => {
    stop.abort();
    await running;
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    if (condition()) return;
    await sleep(10);
  }
  throw new Error('the condition did not become true in time');
}

/** All events of the past of the stored state. */
function generateWholePast() {
  const { startedAt } = loadState(stateFile(), SEED);
  const options = { seed: SEED, ...SCALE, fail: 0, unknown: 0, late: 0, screenFaults: 0, walletFaults: {}, speed: 20 };
  return [
    ...generatePast(
      createPastWorld({ seed: SEED, startedAt, scale: SCALE }, { markets: parseMarkets(MARKETS) }, options),
    ),
  ].flat();
}

const of = (type: string) => gateway.applied.filter((event) => event.type === type);
const nos = (type: string) => of(type).map((event) => ('no' in event.data ? event.data.no : ''));

test('an interrupted import continues where it stopped, in order and without gaps', async () => {
  let stop = start();
  await until(() => gateway.applied.length > 1_500);
  gateway.responsesToLose = 1_000;
  await until(() => gateway.responsesToLose < 1_000);
  await stop();
  const stored = loadState(stateFile(), SEED);
  expect(stored.past?.sent).toBeGreaterThan(0);
  expect(JSON.stringify(stored).length).toBeLessThan(5_000);
  expect(stored.live).toBe(false);
  gateway.responsesToLose = 0;
  stop = start();
  await until(() => gateway.isLive);
  await stop();
  const whole = generateWholePast();
  expect(gateway.applied.slice(0, whole.length)).toEqual(whole);
  // Only the batch in flight was sent again, as often as it had to be, and the first event, by which a process knows
  // its server.
  const resent = new Set(gateway.duplicates.map(({ eventId }) => eventId));
  resent.delete(whole[0]?.eventId ?? '');
  expect(resent.size).toBeGreaterThan(0);
  expect(resent.size).toBeLessThanOrEqual(500);
  expect(loadState(stateFile(), SEED).past).toBeUndefined();
});

test('balances of accounts with rejected events come from the server', async () => {
  gateway.isRejected = ({ type, data }) => type === 'withdraw.requested' && data.market === 'USDT';
  gateway.balances = [{ market: 'USDT', platform: 1, active: '77.7', frozen: '0' }];
  const stop = start({ speed: 0.01 });
  await until(() => gateway.isLive);
  await stop();
  const { balances, open } = loadState(stateFile(), SEED);
  const refused = generateWholePast().flatMap(({ type, data }) =>
    type === 'withdraw.requested' && data.market === 'USDT' ? [data] : [],
  );
  expect(refused.length).toBeGreaterThan(0);
  for (const { account, no } of refused) {
    expect(balances[`${account}|USDT|1`]).toBe('77.7');
    expect(open).not.toHaveProperty(no);
  }
});

test('a refused live call does not stop the simulation', async () => {
  gateway.allowsLive = false;
  const stop = start();
  await until(() => of('withdraw.requested').length > 0 && loadState(stateFile(), SEED).live);
  const ticks = of('tick').length;
  await until(() => of('tick').length > ticks + 10);
  await stop();
  expect(gateway.isLive).toBe(false);
});

test('withdrawals have the fee that the back office demands', async () => {
  gateway.limits = [{ market: 'USDT', feeFixed: '0.5', feeRate: null }];
  gateway.approvesAll = true;
  const stop = start({ speed: 100 });
  await until(() => gateway.isLive);
  const past = gateway.applied.length;
  const requests = () =>
    gateway.applied
      .slice(past)
      .flatMap(({ type, data }) => (type === 'withdraw.requested' && data.market === 'USDT' ? [data.fee] : []));
  await until(() => requests().length > 2);
  await stop();
  expect(new Set(requests())).toEqual(new Set(['0.5']));
});

test('a restarted simulator continues without duplicates or gaps', async () => {
  gateway.approvesAll = true;
  for (const rounds of [1, 2, 3]) {
    const stop = start({ speed: 100 });
    const before = gateway.applied.length;
    await until(() => gateway.applied.length > before + 60 && of('withdraw.paid').length >= rounds * 8);
    await stop();
  }
  const requested = nos('withdraw.requested');
  expect(new Set(requested).size).toBe(requested.length);
  // Consecutive numbers: none was skipped between two runs.
  const ticks = of('tick')
    .map((event) => event.eventId)
    .filter((id) => id.includes(':BTC:'));
  expect(ticks.map((id) => Number(id.split(':').at(-1)))).toEqual(ticks.map((_, index) => index));
  expect(new Set(nos('withdraw.paid')).size).toBe(of('withdraw.paid').length);
  expect(gateway.problems).toEqual([]);
});

test('unanswered events are sent again with the same ids, also by the next process', async () => {
  const stop = start();
  await until(() => gateway.isLive && of('withdraw.requested').length > 5);
  gateway.responsesToLose = 1_000;
  await until(() => gateway.responsesToLose < 999);
  await stop();
  const unanswered = loadState(stateFile(), SEED).queue;
  expect(unanswered.length).toBeGreaterThan(0);
  gateway.responsesToLose = 0;
  const stopAgain = start();
  const count = gateway.applied.length;
  await until(() => gateway.applied.length > count + 20);
  await stopAgain();
  const again = gateway.duplicates.map((event) => event.eventId);
  for (const event of unanswered) {
    expect(again).toContain(event.eventId);
    expect(gateway.applied).toContainEqual(event);
  }
});

test('the state is saved after the last answer even if no further event follows', async () => {
  let frozenAt: number | undefined;
  const stop = start({ clock: { ...clock, now: () => frozenAt ?? clock.now() } });
  await until(() => gateway.isLive && of('tick').length > 5);
  frozenAt = clock.now();
  await until(() => loadState(stateFile(), SEED).queue.length === 0);
  const quiet = loadState(stateFile(), SEED);
  await stop();
  expect(loadState(stateFile(), SEED)).toEqual(quiet);
});

test('the simulator waits while the server restarts', async () => {
  const stop = start();
  await until(() => gateway.isLive);
  await gateway.close();
  await sleep(600);
  const count = gateway.applied.length;
  await gateway.listen(Number(new URL(url).port));
  await until(() => gateway.applied.length > count + 10);
  await stop();
  expect(new Set(gateway.applied.map((event) => event.eventId)).size).toBe(gateway.applied.length);
});

test('a repeated payout command is acknowledged but paid only once', async () => {
  const data = { attempt: 1, account: 'a', market: 'USDT', network: 'TRC20', address: 'T1', memo: '', amount: '9' };
  const first = gateway.addCommand('withdraw.payout', { no: 'N1', ...data });
  let stop = start();
  await until(() => gateway.acks.some((ack) => ack.id === first));
  await stop();
  const second = gateway.addCommand('withdraw.payout', { no: 'N1', ...data });
  gateway.responsesToLose = 1;
  stop = start();
  await until(() => nos('withdraw.paid').includes('N1') && gateway.acks.some((ack) => ack.id === second));
  await sleep(500);
  await stop();
  expect(nos('withdraw.paid')).toEqual(['N1']);
  expect(nos('withdraw.paying')).toEqual(['N1']);
});

test('a new server gets the past again, and another seed keeps the payouts', async () => {
  const data = { attempt: 1, account: 'a', market: 'USDT', network: 'TRC20', address: 'T1', memo: '', amount: '9' };
  gateway.addCommand('withdraw.payout', { no: 'N1', ...data });
  let stop = start();
  await until(() => nos('withdraw.paid').includes('N1'));
  await stop();
  expect(Object.keys(loadState(stateFile(), 'other').payouts)).toEqual(['N1#1']);
  expect(loadState(stateFile(), 'other').startedAt).toBe(0);
  await gateway.close();
  gateway = createFakeGateway();
  url = await gateway.listen();
  stop = start();
  await until(() => gateway.isLive);
  await stop();
  expect(gateway.applied.slice(0, 1_000)).toEqual(generateWholePast().slice(0, 1_000));
});

test('an unreadable state file is replaced by a new state', () => {
  writeFileSync(stateFile(), '{"version":2,"seed":"run","queue":[');
  expect(loadState(stateFile(), SEED)).toMatchObject({ startedAt: 0, cursor: 0 });
});
