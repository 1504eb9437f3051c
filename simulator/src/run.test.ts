import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGateway, fakeGateway, KEY, SECRET } from '../test/fake-gateway.ts';
import { systemClock } from './clock.ts';
import { run } from './run.ts';
import { loadState } from './state.ts';

const SEED = 'run';
let directory: string;
let gateway: FakeGateway;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'simulator-'));
  gateway = fakeGateway();
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
    speed: 20,
    clock: systemClock,
    wait: 1,
    signal: stop.signal,
    ...options,
  });
  return async () => {
    stop.abort();
    await running;
  };
}

async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if (what()) return;
    await sleep(10);
  }
  throw new Error('it did not come about');
}

const of = (type: string) => gateway.applied.filter((event) => event.type === type);
const nos = (type: string) => of(type).map((event) => ('no' in event.data ? event.data.no : ''));

test('a restart of the simulator goes on where it was: nothing twice, nothing left out', async () => {
  gateway.passAll = true;
  for (const rounds of [1, 2, 3]) {
    const stop = start();
    const before = gateway.applied.length;
    await until(() => gateway.applied.length > before + 60 && of('withdraw.paid').length >= rounds * 10);
    await stop();
  }
  expect(of('user.registered')).toHaveLength(200);
  const requested = nos('withdraw.requested');
  expect(new Set(requested).size).toBe(requested.length);
  // Numbers follow each other: none was skipped between two runs.
  const ticks = of('tick')
    .map((event) => event.eventId)
    .filter((id) => id.includes(':BTC:'));
  expect(ticks.map((id) => Number(id.split(':').at(-1)))).toEqual(ticks.map((_, index) => index));
  expect(new Set(nos('withdraw.paid')).size).toBe(of('withdraw.paid').length);
  expect(gateway.problems).toEqual([]);
});

test('what a lost answer leaves open is sent again under its ids, also by the next process', async () => {
  const stop = start();
  await until(() => of('withdraw.requested').length > 5);
  gateway.loseAnswers = 1_000;
  await until(() => gateway.loseAnswers < 999);
  await stop();
  const unanswered = loadState(stateFile(), SEED).queue;
  expect(unanswered.length).toBeGreaterThan(0);
  gateway.loseAnswers = 0;
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

test('a restart of the server is waited for', async () => {
  const stop = start();
  await until(() => of('tick').length > 10);
  await gateway.close();
  await sleep(600);
  const count = gateway.applied.length;
  await gateway.listen(Number(new URL(url).port));
  await until(() => gateway.applied.length > count + 10);
  await stop();
  expect(new Set(gateway.applied.map((event) => event.eventId)).size).toBe(gateway.applied.length);
});

test('a payout is acknowledged and paid once, whatever is sent again', async () => {
  const data = { attempt: 1, account: 'a', market: 'USDT', network: 'TRC20', address: 'T1', memo: '', amount: '9' };
  const first = gateway.command('withdraw.payout', { no: 'N1', ...data });
  let stop = start();
  await until(() => gateway.acks.some((ack) => ack.id === first));
  await stop();
  const second = gateway.command('withdraw.payout', { no: 'N1', ...data });
  gateway.loseAnswers = 1;
  stop = start();
  await until(() => nos('withdraw.paid').includes('N1') && gateway.acks.some((ack) => ack.id === second));
  await sleep(500);
  await stop();
  expect(nos('withdraw.paid')).toEqual(['N1']);
  expect(nos('withdraw.paying')).toEqual(['N1']);
});

test('a server without its data gets a new beginning, another seed keeps the wallet', async () => {
  const data = { attempt: 1, account: 'a', market: 'USDT', network: 'TRC20', address: 'T1', memo: '', amount: '9' };
  gateway.command('withdraw.payout', { no: 'N1', ...data });
  let stop = start();
  await until(() => nos('withdraw.paid').includes('N1') && of('user.registered').length === 200);
  await stop();
  expect(Object.keys(loadState(stateFile(), 'other').payouts)).toEqual(['N1#1']);
  expect(loadState(stateFile(), 'other').startedAt).toBe(0);
  await gateway.close();
  gateway = fakeGateway();
  url = await gateway.listen();
  stop = start();
  await until(() => of('user.registered').length === 200);
  await stop();
});

test('a state that cannot be read is left behind', () => {
  writeFileSync(stateFile(), '{"version":1,"seed":"run","queue":[');
  expect(loadState(stateFile(), SEED)).toMatchObject({ startedAt: 0, cursor: 0 });
});
