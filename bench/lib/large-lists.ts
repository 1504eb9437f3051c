import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { startServer } from './child.ts';
import { type BenchDatabase, openPersistentDatabase } from './database.ts';
import { type Figure, report } from './report.ts';
import { logProgress } from './run.ts';

/** The directory of `npm run bench:data`. */
const LARGE = join(resolve(process.env['DATA_DIR'] ?? 'data'), 'bench');

const DAY_MS = 86_400_000;

/** Starts a server on the large data, which stay unchanged, and reports the measured figures. Without data it only logs. */
export async function benchLargeData(
  measure: (database: BenchDatabase, port: number) => Promise<Figure[]>,
): Promise<void> {
  if (!existsSync(join(LARGE, 'rows')))
    return logProgress('No large data: create them with npm run bench:data -- --rows 10000000');
  const database = await openPersistentDatabase(LARGE);
  // The rows have neither holds, which the hourly check would report, nor facts, which a job would record beside the
  // measurement.
  await database.query(sql`insert into job_lease (name, holder, until) values ('holds', '', ${Date.now() + DAY_MS}), ('fact-backfill', '', ${Date.now() + DAY_MS})
    on conflict (name) do update set until = excluded.until`);
  const server = await startServer(database);
  try {
    report(await measure(database, server.port));
  } finally {
    await server.stop();
    await database.drop();
  }
}

/** A list and its rows in plain SQL, with the alias `w`. */
export interface List {
  path: string;
  /** Its code in the counter tables; 0 without counters. */
  resource: number;
  /** Its tables, besides those that every list reads. */
  tables: readonly string[];
  from: RawBuilder<unknown>;
  /** Fields summed per coin; empty if the rows have no coin. */
  sums: readonly string[];
  /** A common state and a rare one. */
  states: readonly [common: number, rare: number];
  /** The filter by user id, and its column. */
  user: readonly [filter: string, column: string];
}

export const withdrawals: List = {
  path: 'withdraw/list',
  resource: 1,
  tables: ['withdraw'],
  from: sql`withdraw w`,
  sums: ['amount', 'fee', 'received'],
  states: [4, 0],
  user: ['userId', 'w.user_id'],
};
export const userList: List = {
  path: 'user/list',
  resource: 4,
  tables: ['account'],
  from: sql`users w`,
  sums: [],
  states: [1, 0],
  user: ['id', 'w.id'],
};
export const funds: List = {
  path: 'fund/record',
  resource: 3,
  tables: ['entry', 'fund_check'],
  from: sql`(select e.*, coalesce(c.state, 0) as state from entry e left join fund_check c on c.entry_id = e.id
    where e.user_id is not null) w`,
  sums: ['amount'],
  states: [0, 2],
  user: ['userId', 'w.user_id'],
};

export const reviews: List = {
  path: 'auth/list',
  resource: 0,
  tables: ['auth'],
  from: sql`auth w`,
  sums: [],
  states: [1, 2],
  user: ['userId', 'w.user_id'],
};
export const subscriptions: List = {
  path: 'ieo/order/list',
  resource: 0,
  tables: ['ieo'],
  from: sql`ieo w`,
  sums: ['amount', 'pay'],
  states: [1, 2],
  user: ['userId', 'w.user_id'],
};
export const fills: List = {
  path: 'trade/fill/list',
  resource: 0,
  tables: ['trade_fill', 'trade_order'],
  from: sql`trade_fill w`,
  sums: ['amount', 'turnover'],
  states: [1, 2],
  user: ['userId', 'w.user_id'],
};

/** Rows of an agent's subtree. */
export const inSubtree = (account: string): RawBuilder<unknown> =>
  sql`w.agent_id in (select c.descendant from closure c join agent a on a.id = c.ancestor where a.account = ${account})`;

/** Rows of an agent and of the deleted agents that it succeeded. */
export const isShownUnder = (account: string): RawBuilder<unknown> =>
  sql`w.agent_id in (select id from agent where shown = ${account})`;

/** Rows of users with this account prefix. */
export const withAccountPrefix = ({ user: [, column] }: List, text: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} in (select id from users where account like ${`${text}%`})`;

/**
 * Loads a list's tables and indexes into shared buffers, largest first, as after a day of work. Unique indexes that only
 * writes use are excluded. Called before each list, because buffers may be evicted in between.
 */
export async function prewarm(database: BenchDatabase, { path, tables }: List): Promise<void> {
  await database.query(sql`create extension if not exists pg_prewarm`);
  const names = [...tables, 'users', 'counter', 'counter_scope', 'agent', 'closure'];
  const [read] = await database.query(sql<{ mb: number }>`
    select sum(pg_prewarm(id))::bigint * 8 / 1024 as mb from (
      select c.oid as id from pg_class t left join pg_index i on i.indrelid = t.oid join pg_class c on c.oid in (t.oid, i.indexrelid)
      where t.relname = any(${names}) and (i.indisprimary or not i.indisunique) is not false
      group by 1 order by pg_relation_size(c.oid) desc) all_of_them`);
  logProgress(`${path}: ${read?.mb} MB loaded into memory`);
}

/** The lines of the sums with those that `plainTotals` has: ins and outs are there only where rows are read. */
export const comparedSums = ({ sums }: List, summary: readonly object[] | undefined): object[] | undefined =>
  summary?.map((line) =>
    Object.fromEntries(
      Object.entries(line).filter(([name]) => ['marketId', 'marketName', 'count', ...sums].includes(name)),
    ),
  );

/** The total, and the sums per coin if rows have coins, from plain SQL without counters. */
export async function plainTotals(
  database: BenchDatabase,
  { from, sums }: List,
  where: RawBuilder<unknown>,
): Promise<{ total: number; summary: { count: number }[] | undefined }> {
  if (sums.length === 0) {
    const [counted] = await database.query(
      sql<{ total: number }>`select count(*) as total from ${from} where ${where}`,
    );
    return { total: counted?.total ?? 0, summary: undefined };
  }
  const summary = await database.query(sql<{ count: number }>`
    select m.id as "marketId", m.market_name as "marketName", count(*) as count, ${sql.join(
      sums.map((name) => sql`sum(w.${sql.ref(name)}) as ${sql.ref(name)}`),
    )}
    from ${from} join market m on m.id = w.market_id where ${where} group by m.id order by m.sort, m.id`);
  return { total: summary.reduce((sum, { count }) => sum + count, 0), summary };
}
