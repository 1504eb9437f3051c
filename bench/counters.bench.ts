/**
 * What counters cost, on the millions of rows of `npm run bench:data`: a page during inserts, the move of a subtree, and a rebuild
 * of all counters. The inserted rows are deleted and the subtree is moved back, so that the data stay as they were.
 */
import { KEY_COLUMNS, keyValues } from './lib/destination.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { sql } from 'kysely';
import { checkCounters, rebuildCounters } from '../server/src/books/lists/counters.ts';
import { callOnce, fetchToken } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { request } from './lib/http.ts';
import { benchLargeData, prewarm, withdrawals } from './lib/large-lists.ts';
import { type LoadMeasurement, runLoad } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { ensure, logProgress, scaleCount } from './lib/run.ts';

const PAGES = scaleCount(2_000, 20);
const MAX_PAGE = 1_000_000;
const INSERTS_PER_SECOND = 300;
const INSERTS_AT_ONCE = 10;
/** The moved subtree has about this many withdrawals. */
const MOVED_ROWS = 500_000;
const MARK = 'bench-insert-';

await benchLargeData(async (database, port) => {
  await prewarm(database, withdrawals);
  const token = await fetchToken(port, ADMIN.account, ADMIN.password);
  const figures = [
    ...(await measurePagesDuringInserts(database, port, token)),
    ...(await measureMoves(database, port, token)),
  ];
  figures.push(await measureRebuild(database));
  return figures;
});

async function measurePagesDuringInserts(database: BenchDatabase, port: number, token: string): Promise<Figure[]> {
  const readPages = (): Promise<LoadMeasurement> => {
    let remaining = PAGES;
    const next = (): string | undefined =>
      remaining-- > 0
        ? request('GET', `${API_BASE}withdraw/list?page=${1 + Math.floor(Math.random() * MAX_PAGE)}`, { token, accept: 'application/json' })
        : undefined; // prettier-ignore
    return runLoad({
      port,
      connections: 1,
      next,
      check: ({ status, body }) => ensure(status === 200, body.slice(0, 300)),
    });
  };
  await readPages();
  const quiet = await readPages();
  const inserting = new AbortController();
  const inserts = insertRows(database, inserting.signal);
  const duringInserts = await readPages().finally(() => inserting.abort());
  const { inserted, seconds } = await inserts;
  await database.query(sql`delete from withdraw where no like ${`${MARK}%`}`);
  await waitUntilCompacted(database);
  const perSecond = inserted / seconds;
  ensure(perSecond > INSERTS_PER_SECOND * 0.8, `only ${Math.round(perSecond)} inserts per second`);
  const detail = `p50 ${quiet.p50.toFixed(1)} → ${duringInserts.p50.toFixed(1)} ms, beside ${Math.round(perSecond)} inserts/s`;
  logProgress(`page beside inserts: p95 ${quiet.p95.toFixed(1)} → ${duringInserts.p95.toFixed(1)} ms, ${detail}`);
  return [
    { name: 'page beside inserts', unit: 'ms p95', ours: duringInserts.p95, limit: quiet.p95, against: 'without inserts', goal: '≤ 2.00', detail },
  ]; // prettier-ignore
}

/** Inserts withdrawals of random users until the signal aborts. */
async function insertRows(
  database: BenchDatabase,
  signal: AbortSignal,
): Promise<{ inserted: number; seconds: number }> {
  const start = performance.now();
  let inserted = 0;
  while (!signal.aborted) {
    await database.query(sql`
      insert into withdraw (no, user_id, agent_id, market_id, network, address, amount, fee, state, risk, created_at, recorded_at, updated_at, ${KEY_COLUMNS})
      select ${MARK} || ${inserted} || '-' || k, u.id, u.agent_id, 1 + k % 5, 'TRC20', 'T', 10, 1, 0, '{}', ${Date.now()}, ${Date.now()}, ${Date.now()},
        ${keyValues(sql`'T'`)}
      from (select k, 1 + floor(random() * (select max(id) from users))::bigint as user_id from generate_series(1, ${INSERTS_AT_ONCE}) k offset 0) x
      join users u on u.id = x.user_id`);
    inserted += INSERTS_AT_ONCE;
    const due = start + (inserted / INSERTS_PER_SECOND) * 1_000;
    await sleep(Math.max(0, due - performance.now()));
  }
  return { inserted, seconds: (performance.now() - start) / 1_000 };
}

/** Moves a subtree to another parent and back, over HTTP. The counters are right when the answer arrives. */
async function measureMoves(database: BenchDatabase, port: number, token: string): Promise<Figure[]> {
  const [tree] = await database.query(sql<{ id: number; rows: number; parent: string; other: string }>`
    select a.id, s.n as rows, p.account as parent, o.account as other from counter_scope s
    join agent a on a.id = s.key join agent p on p.id = a.parent_id
    join lateral (
      select x.account from agent x where x.deleted_at is null and x.depth between 1 and 2 and x.id <> p.id
        and not exists (select from closure c where c.ancestor in (a.id, p.id) and c.descendant = x.id) order by x.id desc limit 1
    ) o on true
    where s.resource = ${withdrawals.resource} and s.kind = 1 and a.deleted_at is null order by abs(s.n - ${MOVED_ROWS}) limit 1`);
  if (!tree) throw new Error('There is no subtree to move.');
  const figures: Figure[] = [];
  for (const [name, parent] of [['move of a subtree', tree.other], ['move back', tree.parent]] as const) {
    const start = performance.now();
    await callOnce(port, request('POST', `${API_BASE}agent/parent/change`, { token }, JSON.stringify({ id: tree.id, parent })));
    const seconds = (performance.now() - start) / 1_000;
    logProgress(`${name}: ${seconds.toFixed(1)} s`);
    figures.push({ name, unit: 's', ours: seconds, limit: 10, against: 'target', goal: '≤ 1.00', detail: `${tree.rows} withdrawals` });
  } // prettier-ignore
  return figures;
}

async function measureRebuild(database: BenchDatabase): Promise<Figure> {
  const start = performance.now();
  await rebuildCounters(database.db);
  const seconds = (performance.now() - start) / 1_000;
  logProgress(`rebuild: ${seconds.toFixed(1)} s`);
  const differences = await checkCounters(database.db);
  ensure(differences.length === 0, `${differences.length} counters differ: ${JSON.stringify(differences[0])}`);
  const [size] = await database.query(sql<{ counters: number; rows: number }>`
    select (select count(*) from counter) as counters, (select sum(n) from counter_scope where kind = 1 and key = 1)::bigint as rows`);
  const detail = `${size?.counters} counters of ${size?.rows} rows`;
  return {
    name: 'rebuild of all counters',
    unit: 's',
    ours: seconds,
    limit: 120,
    against: 'target',
    goal: '≤ 1.00',
    detail,
  };
}

async function waitUntilCompacted(database: BenchDatabase): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const [row] = await database.query(sql<{ open: boolean }>`select exists (select from counter_delta) as open`);
    if (row?.open === false) return;
    await sleep(100);
  }
  throw new Error('The deltas were not compacted within a minute.');
}
