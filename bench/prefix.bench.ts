/**
 * withdraw/list of the users with an account prefix, over HTTP on tables of three sizes: 11,111 users whose ids are next to each
 * other, and as many that are spread over all users.
 * Limit: Fastify and pg with a plain join of withdrawals and users, once for totals and sums and once for the page.
 */
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { PAGE_SIZE } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { fetchToken, startBare, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase, vacuumAndAnalyze } from './lib/database.ts';
import { request } from './lib/http.ts';
import { loadLarge } from './lib/large-data.ts';
import { plainTotals, withAccountPrefix, withdrawals } from './lib/large-lists.ts';
import { type LoadMeasurement, medianOf, runLoad } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { bench, ensure, logProgress, runInterleaved, scaleCount } from './lib/run.ts';
import { rebuildCounters } from '../server/src/books/lists/counters.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const PAGES = scaleCount(40, 4);
const SPREAD = 'spread';

for (const rows of SIZES) {
  await bench(`prefix, ${rows} rows`, async (database) => {
    await loadLarge(database, rows, () => undefined, { funds: false });
    await database.query(sql`update users set account = ${SPREAD} || id where id % 45 = 0`);
    await rebuildCounters(database.db);
    await vacuumAndAnalyze(database);
    const server = await startServer(database);
    try {
      const figures: Figure[] = [];
      for (const [name, prefix] of [['ids in a row', 'user12'], ['ids spread', SPREAD]] as const)
        figures.push(await measure(database, server.port, `${name}, ${rows.toLocaleString('en')} rows`, prefix));
      return figures;
    } finally {
      await server.stop();
    }
  }); // prettier-ignore
}

async function measure(database: BenchDatabase, port: number, name: string, prefix: string): Promise<Figure> {
  const token = await fetchToken(port, ADMIN.account, ADMIN.password);
  const { total } = await plainTotals(database, withdrawals, withAccountPrefix(withdrawals, prefix));
  const last = Math.ceil(total / PAGE_SIZE);
  const pages = Array.from({ length: PAGES }, () => 1 + Math.floor(Math.random() * last));
  const bare = await startBare({
    url: database.ownerUrl,
    connections: 1,
    pages: pages.map((page) => plainStatements(database, prefix, page)),
  });
  const load = (to: number, bytesOf: (index: number) => string, expected: string): Promise<LoadMeasurement> => {
    let next = 0;
    return runLoad({
      port: to,
      connections: 1,
      next: () => (next < PAGES ? bytesOf(next++) : undefined),
      check: ({ status, body }) => ensure(status === 200 && body.includes(expected), body.slice(0, 300)),
    });
  };
  const ours = () =>
    load(port, (index) => request('GET', `${API_BASE}withdraw/list?account=${prefix}*&page=${pages[index]}`, { token, accept: 'application/json' }), `"total":${total}`); // prettier-ignore
  const plain = () =>
    load(bare.port, (index) => request('GET', `/${index}`, { accept: 'application/json' }), '"code":200');
  try {
    await ours();
    await plain();
    const [measured, limits]: [LoadMeasurement[], LoadMeasurement[]] = [[], []];
    await runInterleaved([async () => void measured.push(await ours()), async () => void limits.push(await plain())]);
    const [found, limit] = [medianOf(measured), medianOf(limits)];
    const detail = `${total.toLocaleString('en')} matches; p95 ${found.p95.toFixed(1)} and ${limit.p95.toFixed(1)} ms`;
    logProgress(`${name}: p50 ${found.p50.toFixed(1)} and ${limit.p50.toFixed(1)} ms, ${detail}`);
    return { name, unit: 'ms p50', ours: found.p50, limit: limit.p50, against: 'plain join', goal: '≤ 1.00', detail };
  } finally {
    await bare.stop();
  }
}

function plainStatements(
  { db }: BenchDatabase,
  prefix: string,
  page: number,
): { text: string; values: readonly unknown[] }[] {
  const matching = sql`from withdraw w join users u on u.id = w.user_id left join agent g on g.id = w.agent_id
    left join market m on m.id = w.market_id where u.account like ${`${prefix}%`}`;
  return [
    sql`select m.id, m.market_name, count(*), sum(w.amount), sum(w.fee), sum(w.received) ${matching} group by m.id`,
    sql`select w.*, u.account, g.shown, m.market_name ${matching}
      order by w.id desc limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`,
  ].map((statement) => {
    const { sql: text, parameters: values } = statement.compile(db);
    return { text, values };
  });
}
