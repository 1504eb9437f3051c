// @module-tag full
import { existsSync, readdirSync } from 'node:fs';
import { EXPORT } from '@hengtai/contract/desk/export/calls';
import type { ExportMade, ExportRow } from '@hengtai/contract/desk/export/schema';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parseCsv } from '../../../test/csv.ts';
import { exportFile, insertRecharges } from '../../../test/export.ts';
import { makeUser } from '../../../test/factories.ts';
import { type OtherProcess, startOtherProcess } from '../../../test/other-process.ts';
import { call, login, provideServer } from '../../../test/server.ts';
import { handlers } from '../../modules.ts';
import { makeExports, tidyExports } from '../../domains/desk/export/export.jobs.ts';

// Several server processes share one database and one directory. The other ones write one row per second, so that their
// files stay unfinished.
const ROWS = 400;
const SLOW = { EXPORT_ROWS_PER_SECOND: '1' };

const server = provideServer({ jobs: false, exports: { jobRows: 100 } });
let token: string;
const others: OtherProcess[] = [];
const make = makeExports(handlers);
const never = new AbortController().signal;

beforeAll(async () => {
  token = await login(server);
  await makeUser(server, { account: 'long.user' });
  const [owner] = await server.query(sql<{ id: number; agent: number }>`select id, agent_id as agent from users`);
  await insertRecharges(
    server,
    Array.from({ length: ROWS }, (_, i) => ({
      no: `N${i}`,
      userId: owner?.id ?? 0,
      agentId: owner?.agent ?? 0,
      createdAt: i,
    })),
  );
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.kill()));
});

const start = async (): Promise<OtherProcess> => {
  const other = await startOtherProcess(server, SLOW);
  others.push(other);
  return other;
};
const requestJob = async (): Promise<number> => {
  const { envelope } = await exportFile(server, 'recharge/excel', { format: 'csv' }, token);
  if (!envelope) throw new Error('The export was sent as a file instead of a job.');
  return (envelope as Envelope<ExportMade>).data.job.id;
};
const stateOf = async (id: number): Promise<ExportRow | undefined> =>
  (await call<ExportRow[]>(server, 'GET', 'export/list', {}, { token })).data.find((job) => job.id === id);
const attemptsOf = async (id: number): Promise<number | undefined> =>
  (await server.query(sql<{ attempt: number }>`select attempt from export_job where id = ${id}`))[0]?.attempt;
const untilRunning = (id: number) =>
  vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: EXPORT.running, done: ROWS }), {
    timeout: 60_000,
    interval: 100,
  });
/** The files of these jobs, made or unfinished. */
const filesOf = (...ids: number[]): string[] =>
  readdirSync(server.app.exports.directory)
    .filter((name) => ids.some((id) => name.startsWith(`${id}-`)))
    .toSorted();

test('processes make one file at a time; the next process restarts the job of a killed one and leaves no partial file', async () => {
  const first = await requestJob();
  const other = await start();
  await untilRunning(first);
  const second = await requestJob();
  expect(await make(server.app, never)).toBe(false);
  expect(await stateOf(second)).toMatchObject({ state: EXPORT.queued });
  expect(filesOf(first, second)).toEqual([`${first}-1.csv.part`]);

  await other.kill();
  const download = (id: number) =>
    server.server.inject({ method: 'GET', url: `${API_BASE}export/download?id=${id}`, headers: { token } });
  expect((await download(first)).json()).toMatchObject({ code: 409 });
  // PostgreSQL releases the lease when it notices the lost connection.
  await vi.waitFor(async () => expect(await make(server.app, never)).toBe(true), { timeout: 30_000, interval: 50 });
  expect(await stateOf(first)).toMatchObject({ state: EXPORT.done, total: ROWS });
  expect(await attemptsOf(first)).toBe(2);
  expect(parseCsv((await download(first)).body)).toHaveLength(ROWS + 1);
  await make(server.app, never);
  expect(await stateOf(second)).toMatchObject({ state: EXPORT.done });
  await tidyExports(server.app);
  expect(filesOf(first, second)).toEqual([`${first}-2.csv`, `${second}-1.csv`].toSorted());
});

test('a process that stops returns its job to the queue without finishing the file', async () => {
  const id = await requestJob();
  const other = await start();
  await untilRunning(id);
  expect(await other.stop()).toBe(0);
  expect(await stateOf(id)).toMatchObject({ state: EXPORT.queued, done: 0 });
  expect(await attemptsOf(id)).toBe(0);
  expect(filesOf(id)).toEqual([]);
  await make(server.app, never);
  expect(await stateOf(id)).toMatchObject({ state: EXPORT.done });
});

test('serves a file that another process on the same machine made', async () => {
  const id = await requestJob();
  await make(server.app, never);
  const other = await start();
  const answer = await fetch(`${other.url}${API_BASE}export/download?id=${id}`, { headers: { token } });
  expect([answer.status, parseCsv(await answer.text()).length]).toEqual([200, ROWS + 1]);
  expect(existsSync(server.app.exports.directory)).toBe(true);
});
