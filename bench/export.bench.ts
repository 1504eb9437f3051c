/**
 * A background export of a million recharges with thirteen columns by the built server. Limit: COPY of the same statement in the
 * same run, with the output discarded. Then the workbook at the rate limit of an installation, while readers request a list:
 * their latency compared with no export, and the memory used.
 */
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { EXPORT } from '@hengtai/contract/desk/export/calls';
import type { ExportMade, ExportRow } from '@hengtai/contract/desk/export/schema';
import { sql } from 'kysely';
import type { Caller } from '../server/src/app/context.ts';
import { rebuildCounters } from '../server/src/books/lists/counters.ts';
import { runInScope } from '../server/src/database/connect.ts';
import { openCopier } from '../server/src/database/copy.ts';
import { listRecharges } from '../server/src/domains/funds/recharge/recharge.store.ts';
import { BUILT_SERVER, callOnce, fetchToken, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase, vacuumAndAnalyze } from './lib/database.ts';
import { Connection, request } from './lib/http.ts';
import { median } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { ROUNDS, bench, ensure, logProgress, scaleCount } from './lib/run.ts';

const ROWS = scaleCount(1_000_000, 1_000);
const COLUMNS = [
  'id',
  'no',
  'account',
  'agent',
  'marketName',
  'network',
  'address',
  'txHash',
  'amount',
  'confirmations',
  'state',
  'sameTransaction',
  'createdAt',
];
/** Concurrent readers of a list, and each reader's pause between requests. */
const READERS = 4;
const EVERY_MS = 20;
const QUIET_MS = scaleCount(8_000, 500);
const UNTHROTTLED = { EXPORT_JOB_ROWS: '10', EXPORT_ROWS_PER_SECOND: '999999999' };
const THROTTLED = { EXPORT_JOB_ROWS: '10' };

ensure(existsSync(BUILT_SERVER), 'there is no built server: npm run build first');
await bench('export', async (database) => {
  await load(database);
  const copies: number[] = [];
  const alone: Record<'csv' | 'xlsx', number[]> = { csv: [], xlsx: [] };
  const server = await startServer(database, UNTHROTTLED, BUILT_SERVER);
  try {
    const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
    await copyOut(database);
    for (let round = 0; round < ROUNDS; round += 1) {
      copies.push(await copyOut(database));
      for (const format of ['csv', 'xlsx'] as const)
        alone[format].push(await runExport(database, server.port, token, format));
    }
  } finally {
    await server.stop();
  }
  return [...figuresAlone(copies, alone), ...(await measureThrottled(database))];
});

async function load(database: BenchDatabase): Promise<void> {
  const { db } = database;
  const now = Date.now();
  await sql`insert into users (account, agent_id, created_at, recorded_at, updated_at)
    select 'bench' || k, 1, ${now}, ${now}, ${now} from generate_series(1, 5000) k`.execute(db);
  await sql`
    insert into recharge (no, user_id, agent_id, market_id, network, address, tx_hash, amount, fee, confirmations, source,
      state, credited_at, created_at, recorded_at, updated_at)
    select 'R' || n, u.low + n % 5000, 1, 1 + n % 5, 'TRC20', 'T' || md5((n % 30000)::text), md5(n::text) || md5((n + 1)::text),
      (n % 9990) + (n % 1000000) / 1000000.0, 0, 20, 1, case when n % 25 = 0 then 2 else 1 end,
      ${now}::bigint - (${ROWS} - n) * 30000::bigint, ${now}::bigint - (${ROWS} - n) * 30000::bigint,
      ${now}::bigint, ${now}::bigint
    from generate_series(1, ${ROWS}::int) n, (select min(id) as low from users) u`.execute(db);
  await rebuildCounters(database.db);
  await vacuumAndAnalyze(database);
}

/** Seconds that COPY takes for the rows, with the output discarded. */
async function copyOut(database: BenchDatabase): Promise<number> {
  const copier = await openCopier(database.appUrl, () => undefined);
  const caller = { scope: { kind: 'all' }, now: Date.now() } as Caller;
  try {
    return await runInScope(
      copier.db,
      caller.scope,
      1,
      async (db) => {
        const { statement, total } = await listRecharges.readAll({ ...caller, db }, {});
        ensure(statement !== undefined && total === ROWS, 'the rows of the list');
        const start = performance.now();
        let bytes = 0;
        for await (const part of copier.copy(statement, COLUMNS)) bytes += part.length;
        ensure(bytes > ROWS * 50, 'the bytes of the list');
        return (performance.now() - start) / 1_000;
      },
      'read',
    );
  } finally {
    await copier.end();
  }
}

/** Runs one export. Returns the seconds from the start of the job until its file is ready. */
async function runExport(database: BenchDatabase, port: number, token: string, format: string): Promise<number> {
  const headers = { token, accept: 'application/json' };
  const body = JSON.stringify({ columns: COLUMNS, format });
  const { job } = (await callOnce(port, request('POST', `${API_BASE}recharge/excel`, headers, body)))
    .data as ExportMade;
  for (;;) {
    const jobs = (await callOnce(port, request('GET', `${API_BASE}export/list`, headers))).data as ExportRow[];
    const current = jobs.find(({ id }) => id === job.id);
    ensure(current !== undefined && current.reason === '', `the job: ${current?.reason}`);
    if (current.state === EXPORT.done) break;
    await sleep(50);
  }
  const [row] = await database.query(sql<{ ms: number; total: number }>`
    select finished_at - started_at as ms, total from export_job where id = ${job.id}`);
  ensure(row?.total === ROWS, 'the rows of the file');
  const file = readdirSync(join(database.directory, 'exports')).find((name) => name.startsWith(`${job.id}-`));
  ensure(file !== undefined && !file.endsWith('.part'), 'the file');
  logProgress(
    `${format}: ${(row.ms / 1_000).toFixed(1)} s, ${Math.round(statSync(join(database.directory, 'exports', file)).size / 1e6)} MB`,
  );
  await database.query(sql`delete from export_job where id = ${job.id}`);
  rmSync(join(database.directory, 'exports', file), { force: true });
  return row.ms / 1_000;
}

function figuresAlone(copies: readonly number[], alone: Record<'csv' | 'xlsx', number[]>): Figure[] {
  const limit = median(copies);
  const name = (format: string): string => `export, ${ROWS.toLocaleString('en')} × ${COLUMNS.length}, ${format} alone`;
  const common = { unit: 's', limit, against: 'COPY of the statement' };
  return [
    { ...common, name: name('csv'), ours: median(alone.csv), goal: '≤ 3 × COPY' },
    { ...common, name: name('xlsx'), ours: median(alone.xlsx), goal: '≤ 12 s' },
  ];
}

/** Runs the export at the rate limit of an installation: its duration, the latency of readers, and memory. */
async function measureThrottled(database: BenchDatabase): Promise<Figure[]> {
  const server = await startServer(database, THROTTLED, BUILT_SERVER);
  try {
    const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
    const page = request('GET', `${API_BASE}user/list`, { token, accept: 'application/json' });
    let isDone = false;
    const p99During = async (shouldStop: () => boolean): Promise<number> =>
      (await readPages(server.port, page, shouldStop)).p99;
    await p99During(hasElapsed(QUIET_MS / 4));
    const quiet = await p99During(hasElapsed(QUIET_MS));
    const memory = watchMemory(server.pid);
    const [seconds, busy] = await Promise.all([
      runExport(database, server.port, token, 'xlsx').finally(() => (isDone = true)),
      p99During(() => isDone),
    ]);
    const { before, peak } = memory();
    return [
      { name: 'export, xlsx at the rate limit', unit: 's', ours: seconds, against: '—', goal: '≤ 20 s' },
      {
        name: 'list p99 during the export',
        unit: 'ms',
        ours: busy,
        limit: quiet,
        against: 'p99 with no export',
        goal: '≤ 2 ×',
      },
      {
        name: 'memory during the export',
        unit: 'MB',
        ours: peak,
        limit: before,
        against: 'the server before',
        goal: '≤ 150 MB more',
        detail: `${Math.round(peak - before)} MB more, the writer included`,
      },
    ];
  } finally {
    await server.stop();
  }
}

function hasElapsed(ms: number): () => boolean {
  const deadline = performance.now() + ms;
  return () => performance.now() > deadline;
}

async function readPages(port: number, page: string, isDone: () => boolean): Promise<{ p99: number }> {
  const times: number[] = [];
  const read = async (): Promise<void> => {
    const connection = await Connection.open(port);
    while (!isDone()) {
      const start = performance.now();
      const { status } = await connection.send(page);
      ensure(status === 200, 'a page');
      times.push(performance.now() - start);
      await sleep(EVERY_MS);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: READERS }, read));
  times.sort((a, b) => a - b);
  return { p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

/** Samples the memory of the server and its writers in megabytes. Linux only; elsewhere 0. */
function watchMemory(pid: number): () => { before: number; peak: number } {
  const before = memoryOf(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(pid))), 100);
  return () => {
    clearInterval(timer);
    return { before, peak };
  };
}

function memoryOf(pid: number): number {
  try {
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    // Other children, such as esbuild, exist in development only.
    const writers = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('writer'));
    return kilobytes / 1024 + writers.reduce((sum, child) => sum + memoryOf(Number(child)), 0);
  } catch {
    return 0;
  }
}
