/**
 * What a row costs: load rate, bytes of table and indexes, and the product's own reads, by the number of rows.
 *
 * GROWTH_ROWS: rows per table (1,000,000). GROWTH_DATA: only measures the data of `npm run bench:data` in this folder, read-only.
 * GROWTH_ENTRIES: loads so many entries, and nothing else, into the folder GROWTH_DIR, and measures at each power of ten; it
 * stops when less than 25 GB of the disk are free.
 */
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { rebuildCounters } from '../server/src/books/lists/counters.ts';
import { listAudit } from '../server/src/domains/house/audit/audit-list.store.ts';
import { listLedgerEntries } from '../server/src/domains/funds/ledger-entry/ledger-entry.store.ts';
import { listWithdraws } from '../server/src/domains/funds/withdraw/withdraw.store.ts';
import { NO_FACTORS, type Ctx } from '../server/src/app/context.ts';
import { type Db, openPool, runInScope } from '../server/src/database/connect.ts';
import { startEmbedded } from '../server/src/embedded/embedded.ts';
import { type BenchDatabase, openPersistentDatabase, vacuumAndAnalyze } from './lib/database.ts';
import { type Range, loadAudit, loadEntries, loadTicks } from './lib/growth-rows.ts';
import { loadLarge } from './lib/large-data.ts';
import { type Figure, report } from './lib/report.ts';
import { bench, ensure, logProgress, scaleCount } from './lib/run.ts';

const ROWS = scaleCount(Number(process.env['GROWTH_ROWS'] ?? '1000000'), 1_000);
const ENTRIES = Number(process.env['GROWTH_ENTRIES'] ?? '0');
const DIRECTORY = process.env['GROWTH_DIR'];
const DATA = process.env['GROWTH_DATA'];
const BATCH = 1_000_000;
const READS = 200;
const MIN_FREE = 25 * 1024 ** 3;
const MAX_PAGE = 1_000;

type Read = readonly [name: string, run: (ctx: Ctx) => Promise<{ rows: number }>];
const anyUser = (): number => 1 + Math.floor(500_000 ** Math.random());
const anyPage = (): number => 1 + Math.floor(Math.random() * MAX_PAGE);
const page = async (list: Promise<{ list: readonly unknown[] }>): Promise<{ rows: number }> => ({
  rows: (await list).list.length,
});

/** The reads of each table. The filters are those of the pages that operators use most. */
const reads: Record<string, readonly Read[]> = {
  withdraw: [
    ['first page', (ctx) => page(listWithdraws(ctx, { page: 1 }))],
    ['any page', (ctx) => page(listWithdraws(ctx, { page: anyPage() }))],
    ['one state', (ctx) => page(listWithdraws(ctx, { page: 1, state: 0 }))],
  ],
  entry: [
    ['first page', (ctx) => page(listLedgerEntries(ctx, { page: 1 }))],
    ['any page', (ctx) => page(listLedgerEntries(ctx, { page: anyPage() }))],
    ['one user', (ctx) => page(listLedgerEntries(ctx, { page: 1, userId: anyUser() }))],
  ],
  audit: [
    ['first page', (ctx) => page(listAudit(ctx, { page: 1 }))],
    ['one user', (ctx) => page(listAudit(ctx, { page: 1, account: `user${anyUser()}` }))],
  ],
  tick: [
    [
      'price at a time',
      async ({ db, now }) => {
        const at = now - Math.floor(Math.random() * ROWS * 3_000);
        const { rows } = await sql`select price from tick where market_id = ${1 + (at % 5)} and at <= ${at}
          order by at desc, id desc limit 1`.execute(db);
        return { rows: rows.length };
      },
    ],
  ],
};

const contextOf = (db: Db): Ctx => ({
  db,
  operator: { id: 1, account: 'admin', top: true, abilities: [] },
  scope: { kind: 'all' },
  sessionId: null,
  factors: NO_FACTORS,
  requestId: 'bench',
  ip: '',
  userAgent: '',
  now: Date.now(),
});

async function measureReads(db: Db, table: string, rows: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, run] of reads[table] ?? []) {
    const times: number[] = [];
    let found = 0;
    for (let n = 0; n < READS; n += 1) {
      const started = performance.now();
      found += (await runInScope(db, { kind: 'all' }, 0, (tx) => run(contextOf(tx)), 'read')).rows;
      times.push(performance.now() - started);
    }
    ensure(found > 0, `${table}, ${name}: no rows`);
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;
    const detail = `p50 ${at(0.5).toFixed(1)} ms, max ${at(1).toFixed(1)} ms`;
    figures.push({ name: `${table} ${count(rows)}: ${name}`, unit: 'ms p95', ours: at(0.95), against: '—', detail });
  }
  return figures;
}

const count = (rows: number): string => rows.toLocaleString('en');

async function measureSizes(db: Db, tables: readonly string[]): Promise<Figure[]> {
  const { rows: sizes } = await sql<{ name: string; rows: number; table: number; indexes: number }>`
    select c.relname as name, c.reltuples::bigint as rows, pg_table_size(c.oid) as table, pg_indexes_size(c.oid) as indexes
    from pg_class c where c.relname = any(${[...tables]}) and c.relkind = 'r' order by 1`.execute(db);
  return sizes.map(({ name, rows, table, indexes }) => ({
    name: `${name} ${count(rows)}: size of a row`,
    unit: 'bytes',
    ours: (table + indexes) / rows,
    against: '—',
    detail: `table ${Math.round(table / rows)}, indexes ${Math.round(indexes / rows)}; in all ${((table + indexes) / 1024 ** 3).toFixed(2)} GB`,
  }));
}

type Loader = (database: BenchDatabase, range: Range, rows: number, now: number) => Promise<void>;

/** Loads rows in batches and reports the rate of all. */
async function measureLoad(database: BenchDatabase, table: string, loader: Loader, rows: number): Promise<Figure> {
  const now = Date.now();
  const started = performance.now();
  for (let from = 1; from <= rows; from += BATCH)
    await loader(database, { from, to: Math.min(rows, from + BATCH - 1) }, rows, now);
  const perSecond = rows / ((performance.now() - started) / 1_000);
  logProgress(`${table}: ${count(rows)} rows, ${count(Math.round(perSecond))} per second`);
  return {
    name: `${table} ${count(rows)}: load`,
    unit: 'rows/s',
    ours: perSecond,
    against: '—',
    detail: 'insert … select, all indexes',
  };
}

async function measureAll(database: BenchDatabase): Promise<Figure[]> {
  await loadLarge(database, ROWS, logProgress, { funds: false });
  const figures = [
    await measureLoad(database, 'entry', loadEntries, ROWS),
    await measureLoad(database, 'tick', loadTicks, ROWS),
    await measureLoad(database, 'audit', loadAudit, ROWS),
  ];
  await rebuildCounters(database.db);
  await vacuumAndAnalyze(database);
  figures.push(
    ...(await measureSizes(database.db, ['withdraw', 'entry', 'tick', 'audit', 'audit_seal', 'audit_head'])),
  );
  for (const table of Object.keys(reads)) figures.push(...(await measureReads(database.db, table, ROWS)));
  return figures;
}

/** Reads only: no migration, no login, and the connection refuses writes. */
async function measureExisting(directory: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir: join(directory, 'data'), log: logProgress });
  const settings = { jit: 'off', 'app.scope': 'all', default_transaction_read_only: 'on' };
  const { db, end } = openPool({ url: embedded.url, max: 1, name: 'bench-growth', settings, onError: () => undefined });
  try {
    const figures = await measureSizes(db, ['withdraw', 'entry', 'transfer', 'leg', 'account', 'users']);
    const { rows } = await sql<{ rows: number }>`
      select reltuples::bigint as rows from pg_class where relname in ('withdraw', 'entry') order by relname`.execute(
      db,
    );
    figures.push(
      ...(await measureReads(db, 'entry', rows[0]?.rows ?? 0)),
      ...(await measureReads(db, 'withdraw', rows[1]?.rows ?? 0)),
    );
    report(figures);
  } finally {
    await end();
    await embedded.stop();
  }
}

/** Entries only, into a folder that stays until the next run. */
async function loadManyEntries(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const database = await openPersistentDatabase(directory);
  try {
    await loadLarge(database, 0, logProgress, { funds: false });
    const now = Date.now();
    let started = performance.now();
    for (let from = 1; from <= ENTRIES; from += BATCH) {
      const to = Math.min(ENTRIES, from + BATCH - 1);
      await loadEntries(database, { from, to }, ENTRIES, now);
      const { bavail, bsize } = statfsSync(directory);
      const free = bavail * bsize;
      const isEnough = free >= MIN_FREE;
      const isMeasured = Number.isInteger(Math.log10(to)) || to === ENTRIES || !isEnough;
      if (to % (10 * BATCH) === 0 || isMeasured)
        logProgress(
          `${count(to)}: ${count(Math.round(BATCH / ((performance.now() - started) / 1_000)))} rows/s, ${(free / 1024 ** 3).toFixed(0)} GB free`,
        );
      if (isMeasured) {
        await rebuildCounters(database.db);
        await database.query(sql`vacuum analyze entry`);
        report([...(await measureSizes(database.db, ['entry'])), ...(await measureReads(database.db, 'entry', to))]);
      }
      if (!isEnough) {
        logProgress('Less than 25 GB are free: stopped.');
        return;
      }
      started = performance.now();
    }
  } finally {
    await database.drop();
  }
}

if (DATA !== undefined) await measureExisting(DATA);
else if (ENTRIES > 0 && DIRECTORY !== undefined) await loadManyEntries(DIRECTORY);
else await bench(`growth, ${count(ROWS)} rows`, measureAll);
