// @module-tag full
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditVerdict } from '@hengtai/contract/house/audit/schema';
import type { InstallationState } from '@hengtai/contract/desk/installation/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBook } from '../src/books/ledger/check.ts';
import { type TestServer, call, login, testServer } from './server.ts';
import { nodeArguments } from '../../testing/program.ts';

interface SimulatorState {
  live: boolean;
  balances: Record<string, string>;
  past?: { sent: number };
  startedAt: number;
}

/** Number of batches that each process sends before it is killed. Low, because this small past has few. */
const BATCHES_BEFORE_KILL = 2;

let server: TestServer;
let directory: string;
let url: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  server = await testServer({ simulated: true });
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  directory = mkdtempSync(join(tmpdir(), 'past-'));
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts the real simulator program, which uses only the gateway. */
function startSimulator(): ChildProcess {
  const { key, secret } = server.app.platform;
  const platform = { PLATFORM_URL: url, PLATFORM_KEY: key, PLATFORM_SECRET: secret, DATA_DIR: directory };
  // The slowest speed, so that almost nothing happens after the past.
  const world = { SIMULATOR_SEED: 'past', SIMULATOR_USERS: '60', SIMULATOR_DAYS: '5', SIMULATOR_SPEED: '0.01' };
  child = spawn(process.execPath, nodeArguments('simulator/src/main.ts'), {
    env: { ...process.env, ...platform, ...world },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return child;
}

const stateFile = () => join(directory, 'simulator-state.json');
const readState = (): SimulatorState | undefined =>
  existsSync(stateFile()) ? (JSON.parse(readFileSync(stateFile(), 'utf8')) as SimulatorState) : undefined;

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 8_000; tries += 1) {
    if (await condition()) return;
    await sleep(15);
  }
  throw new Error('the condition was not met in time');
}

/** Free balances by account, market and platform type. */
async function fetchBalances(): Promise<Record<string, string>> {
  const rows = await server.query(sql<{ key: string; active: string }>`
    select u.account || '|' || m.market_name || '|' || a.platform as key, a.balance as active
    from account a join users u on u.id = a.user_id join market m on m.id = a.market_id
    where a.bucket = 'active' and a.balance > 0`);
  return Object.fromEntries(rows.map(({ key, active }) => [key, active]));
}

/** Balances that differ between the server and the simulator. */
const findDifferences = (actual: Record<string, string>, simulated: Record<string, string>) =>
  [...new Set([...Object.keys(actual), ...Object.keys(simulated)])].flatMap((key) =>
    actual[key] === simulated[key] ? [] : [{ key, actual: actual[key], simulated: simulated[key] }],
  );

async function stopProcess(running: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  running.kill(signal);
  await once(running, 'exit');
}

test('an import that is killed twice ends live, with the same balances as in the simulator', async () => {
  for (let cuts = 0; cuts < 2; cuts += 1) {
    const before = readState()?.past?.sent ?? 0;
    const running = startSimulator();
    await waitUntil(() => (readState()?.past?.sent ?? 0) >= before + BATCHES_BEFORE_KILL);
    await stopProcess(running, 'SIGKILL');
  }
  const admin = await login(server);
  const before = await call<InstallationState>(server, 'GET', 'installation/state', {}, { token: admin });
  expect(before.data.live).toBe(0);
  expect(before.data.importing?.share).toBeGreaterThan(0);
  expect(before.data.importing?.share).toBeLessThan(1);

  const running = startSimulator();
  await waitUntil(() => readState()?.live === true);
  // The server reports the results of past contracts from now on.
  await waitUntil(async () => {
    const [open] = await server.query(sql<{ n: number }>`
      select (select count(*) from second_contract where state = 0) + (select count(*) from command where state < 2) as n`);
    return open?.n === 0;
  });
  // New events keep arriving, so compare until a moment at which none is in transit.
  await expect.poll(async () => findDifferences(await fetchBalances(), readState()?.balances ?? {})).toEqual([]);
  await stopProcess(running, 'SIGTERM');

  const after = await call<InstallationState>(server, 'GET', 'installation/state', {}, { token: admin });
  expect(after.data).toEqual({ live: 1, importing: null });
  expect(Object.keys(await fetchBalances()).length).toBeGreaterThan(40);
  expect(await checkBook(server.owner)).toEqual([]);
  const verdict = await call<AuditVerdict>(server, 'POST', 'audit/verify', {}, { token: admin });
  expect(verdict).toMatchObject({ code: 200, data: { ok: true } });

  // Ids of a table increase with business time.
  for (const table of ['users', 'recharge', 'internal_transfer', 'withdraw']) {
    const rows = await server.query(sql<{ at: number }>`
      select created_at as at from ${sql.ref(table)} where created_at < ${readState()?.startedAt} order by id`);
    const times = rows.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
  const review = await server.query(sql<{ n: number }>`select count(*) as n from withdraw where state = 0`);
  // Twenty users request a withdrawal at the end, but in this small world some lack the balance.
  expect(review[0]?.n).toBeGreaterThanOrEqual(15);
}, 240_000);
