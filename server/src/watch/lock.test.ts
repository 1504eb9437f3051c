// @module-tag full
import { createHmac } from 'node:crypto';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { signedText } from '@hengtai/contract/gateway/gateway';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeUser, makeWithdraw } from '../../test/factories.ts';
import { type OtherProcess, startOtherProcess } from '../../test/other-process.ts';
import { type TestServer, login, testServer, unique } from '../../test/server.ts';
import type { Readiness } from './readiness.ts';

/** Sets up the data. The locked process has the pools and limits of an installation. */
let server: TestServer;
let other: OtherProcess;
let token: string;
let locker: Client;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
  await makeWithdraw(server, token, await makeUser(server, { amount: '1000' }));
  other = await startOtherProcess(server);
  locker = new Client({ connectionString: server.urls.owner });
  await locker.connect();
}, 120_000);
afterAll(async () => {
  await locker?.end();
  await other?.stop();
  await server?.stop();
});

/** Calls the locked process; the code of the envelope and the milliseconds that it took. */
async function read(path: string): Promise<{ code: number; ms: number }> {
  const at = performance.now();
  const response = await fetch(`${other.url}${API_BASE}${path}`, { headers: { token } });
  const { code } = (await response.json()) as Envelope;
  return { code, ms: performance.now() - at };
}

async function sendEvent(): Promise<number> {
  const path = '/platform/v1/events';
  const body = JSON.stringify([
    { eventId: unique('lock-'), type: 'withdraw.cancelled', at: server.clock.now(), data: { no: 'none' } },
  ]);
  const time = String(Date.now());
  const signature = createHmac('sha256', server.app.platform.secret)
    .update(signedText(time, 'POST', path, body))
    .digest('hex');
  const headers = { 'x-key': server.app.platform.key, 'x-time': time, 'x-signature': signature };
  const response = await fetch(`${other.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return response.status;
}

const readiness = async (): Promise<Readiness & { http: number }> => {
  const response = await fetch(`${other.url}/readyz`);
  return { http: response.status, ...((await response.json()) as Readiness) };
};

test('a locked table stops neither other lists nor sessions, and a released one is read again', async () => {
  await locker.query('begin; lock table withdraw in access exclusive mode');
  const stopped = Array.from({ length: 60 }, () => read('withdraw/list'));
  const events = Array.from({ length: 16 }, () => sendEvent());
  const others: { code: number; ms: number }[] = [];
  for (let round = 0; round < 6; round += 1) {
    others.push(...(await Promise.all(['user/list', 'agent/list', 'audit/list'].map(read))));
    // Operators go on clicking the list that is locked.
    stopped.push(...Array.from({ length: 10 }, () => read('withdraw/list')));
  }
  expect(others.map(({ code }) => code)).toEqual(others.map(() => 200));
  expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(4_000);
  const refused = await Promise.all(stopped);
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 503));
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(4_000);
  expect(await readiness()).toMatchObject({
    http: 200,
    status: 'degraded',
    checks: expect.arrayContaining([{ name: 'locks', ok: true, reason: expect.stringContaining('withdraw.list') }]),
  });
  await locker.query('rollback');
  await vi.waitFor(async () => expect((await read('withdraw/list')).code).toBe(200), {
    timeout: 10_000,
    interval: 200,
  });
  // A result is kept for a second.
  await expect.poll(async () => (await readiness()).status).toBe('ready');
  // The platform repeats what got a 503.
  expect((await Promise.all(events)).every((status) => status === 200 || status === 503)).toBe(true);
});
