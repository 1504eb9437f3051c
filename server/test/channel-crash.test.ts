// @module-tag full
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ChannelSave } from '@hengtai/contract/desk/channel/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELIVERY } from '../src/domains/desk/channel/delivery.store.ts';
import { makeOperator, makeUser, makeWithdraw } from './factories.ts';
import { type OtherProcess, startOtherProcess } from './other-process.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type TestServer, call, login, testServer } from './server.ts';

/** Sets up the test data. It runs no jobs, so the other processes send every message. */
let server: TestServer;
let admin: string;
let user: string;
let receiver: Receiver;
const processes: OtherProcess[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  server = await testServer({ jobs: false, channels: { hosts: [`127.0.0.1:${receiver.port}`], allowPrivate: true } });
  admin = await login(server);
  const { account, token } = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
  user = await makeUser(server, { agent: account, amount: '50000' });
  const input: ChannelSave = {
    kind: 'webhook',
    name: 'desk',
    address: `http://127.0.0.1:${receiver.port}/in`,
    types: ['withdraw.requested'],
    enabled: 1,
  };
  expect(await call(server, 'POST', 'channel/save', input, { token })).toMatchObject({ code: 200 });
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await server.stop();
  await receiver.close();
});

async function start(): Promise<OtherProcess> {
  const channels = { CHANNEL_HOSTS: `127.0.0.1:${receiver.port}`, CHANNEL_PRIVATE: 'on' };
  const started = await startOtherProcess(server, channels);
  processes.push(started);
  return started;
}

const fetchStates = async (): Promise<number[]> =>
  (await server.query(sql<{ state: number }>`select state from delivery order by created_at`)).map(
    ({ state }) => state,
  );
const ids = (): unknown[] => receiver.requests.map(({ headers }) => headers['x-hengtai-delivery']);

/** Causes a message and waits until a process has recorded that it was sent. */
async function send(): Promise<void> {
  const before = await fetchStates();
  await makeWithdraw(server, admin, user);
  await expect.poll(fetchStates).toEqual([...before, DELIVERY.sent]);
}

test('a server that is killed between sending and recording repeats that message only, under its id', async () => {
  const first = await start();
  await send();

  const killed = new Promise<unknown>((resolve) => {
    receiver.answer = () => resolve(first.kill());
  });
  await makeWithdraw(server, admin, user);
  await killed;
  expect(await fetchStates()).toEqual([DELIVERY.sent, DELIVERY.waiting]);

  receiver.answer = (response) => void response.end('{}');
  await Promise.all([start(), start()]);
  // Both look every half second for what is due; the lease of the dead server keeps the message until it ends.
  await send();
  expect(ids()).toHaveLength(3);
  await server.query(sql`update delivery set due_at = 0 where state = ${DELIVERY.waiting}`);
  await expect.poll(fetchStates).toEqual([DELIVERY.sent, DELIVERY.sent, DELIVERY.sent]);
  await send();

  const [one, two, three, again, last] = ids();
  expect(ids()).toHaveLength(5);
  expect(again).toBe(two);
  expect(new Set([one, two, three, last]).size).toBe(4);
  expect(receiver.requests[3]?.body).toBe(receiver.requests[1]?.body);
});
