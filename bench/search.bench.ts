/**
 * Searches among 500,000 users and ten million withdrawals and recharges, over HTTP, one at a time: parts of accounts and remarks,
 * ends of addresses and hashes, and the account filter of two lists. The limit is a target of the product.
 */
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Page } from '@hengtai/contract/wire/list';
import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import { type RawBuilder, sql } from 'kysely';
import { callOnce, fetchToken, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase, vacuumAndAnalyze } from './lib/database.ts';
import { request } from './lib/http.ts';
import { runLoad } from './lib/load.ts';
import type { Figure } from './lib/report.ts';
import { bench, ensure, logProgress, scaleCount } from './lib/run.ts';
import { ROWS, USERS, loadSearchData } from './lib/search-data.ts';

const WORDS = scaleCount(200, 20);
const LIMIT_MS = 50;

interface Scene {
  name: string;
  path: 'search' | 'user/list' | 'withdraw/list';
  field: 'word' | 'account' | 'address' | 'txHash';
  words: readonly string[];
}

await bench('search', async (database) => {
  await loadSearchData(database);
  await vacuumAndAnalyze(database);
  const server = await startServer(database);
  try {
    const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
    const figures: Figure[] = [];
    for (const scene of await createScenes(database)) figures.push(await measure(server.port, token, scene));
    return figures;
  } finally {
    await server.stop();
  }
});

async function createScenes(database: BenchDatabase): Promise<Scene[]> {
  const random = (max: number) => sql`1 + floor(random() * ${max})::bigint`;
  const draw = async (column: RawBuilder<unknown>, table: string, max: number): Promise<string[]> => {
    const rows = await database.query(sql<{ word: string }>`
      select ${column} as word from (select ${random(max)} as id from generate_series(1, ${WORDS}::int)) r
      join ${sql.table(table)} x using (id)`);
    return rows.map(({ word }) => word).filter((word) => word !== '');
  };
  const parts = await draw(sql`substr(x.account, 2 + floor(random() * 4)::int, 6)`, 'users', USERS);
  const remarks = await draw(sql`substr(x.remark, length(x.remark) - 1, 2)`, 'users', USERS);
  const chinese = remarks.filter((word) => /^\p{Script=Han}{2}$/u.test(word));
  const ends = await draw(sql`right(x.address, 6)`, 'withdraw', ROWS);
  const shortened = await draw(sql`left(x.address, 6) || '…' || right(x.address, 4)`, 'withdraw', ROWS);
  const lasts = await draw(sql`right(x.address, 4)`, 'withdraw', ROWS);
  const heads = await draw(sql`left(x.tx_hash, 6)`, 'withdraw', ROWS);
  return [
    { name: 'six characters of an account', path: 'search', field: 'word', words: parts },
    { name: 'two Chinese characters', path: 'search', field: 'word', words: chinese },
    { name: 'last six of an address', path: 'search', field: 'word', words: ends },
    { name: 'a shortened address', path: 'search', field: 'word', words: shortened },
    { name: 'last four of an address', path: 'search', field: 'word', words: lasts },
    { name: 'first six of a hash', path: 'search', field: 'word', words: heads },
    { name: 'user/list by part', path: 'user/list', field: 'account', words: parts },
    { name: 'withdraw/list by part', path: 'withdraw/list', field: 'account', words: parts },
    { name: 'withdraw/list by last six of an address', path: 'withdraw/list', field: 'address', words: ends },
    { name: 'withdraw/list by a shortened address', path: 'withdraw/list', field: 'address', words: shortened },
    { name: 'withdraw/list by last four of an address', path: 'withdraw/list', field: 'address', words: lasts },
    { name: 'withdraw/list by first six of a hash', path: 'withdraw/list', field: 'txHash', words: heads },
  ];
}

async function measure(port: number, token: string, { name, path, field, words }: Scene): Promise<Figure> {
  const requests = words.map((word) =>
    request('GET', `${API_BASE}${path}?${field}=${encodeURIComponent(word)}`, { token, accept: 'application/json' }),
  );
  for (const one of requests.slice(0, 20)) {
    const { data } = await callOnce(port, one);
    const found = path === 'search' ? (data as SearchRow[]).length : (data as Page<unknown>).total;
    ensure(path === 'withdraw/list' || found > 0, `nothing found: ${one.split('\r\n')[0]}`);
  }
  const left = [...requests];
  const { p50, p95 } = await runLoad({
    port,
    connections: 1,
    next: () => left.pop(),
    check: ({ status, body }) => ensure(status === 200 && body.startsWith('{"code":200,'), body.slice(0, 300)),
  });
  logProgress(`${name}: p95 ${p95.toFixed(1)} ms`);
  return {
    name: `search, ${name}`,
    unit: 'ms p95',
    ours: p95,
    limit: LIMIT_MS,
    against: 'target',
    detail: `p50 ${p50.toFixed(1)} ms`,
  };
}
