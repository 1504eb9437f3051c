import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { startServer } from './child.ts';
import { type BenchDatabase, keptDatabase } from './database.ts';
import { type Figure, report } from './report.ts';
import { say } from './run.ts';

/** Where `npm run bench:data` leaves what it made. */
const LARGE = join(resolve(process.env['DATA_DIR'] ?? 'data'), 'bench');

/** Measures on a server over the large data, where there are any; these stay as they are. */
export async function onLarge(measure: (database: BenchDatabase, port: number) => Promise<Figure[]>): Promise<void> {
  if (!existsSync(join(LARGE, 'rows')))
    return say('There are no large data to measure: npm run bench:data -- --rows 10000000');
  const database = await keptDatabase(LARGE);
  const server = await startServer(database);
  try {
    report(await measure(database, server.port));
  } finally {
    await server.stop();
    await database.drop();
  }
}

/** A list, and what its rows are in plain SQL, where they are called `w`. */
export interface List {
  path: string;
  /** Its code among the nouns that are counted. */
  noun: number;
  /** Where its rows stand, beside what every list reads. */
  tables: readonly string[];
  from: RawBuilder<unknown>;
  /** What is summed by coin; none where rows have no coin. */
  sums: readonly string[];
  /** A state that most rows have, and one that few have. */
  states: readonly [common: number, rare: number];
  /** The filter by a user's number, and where that stands. */
  user: readonly [filter: string, column: string];
}

export const withdrawals: List = {
  path: 'withdraw/list',
  noun: 1,
  tables: ['withdraw'],
  from: sql`withdraw w`,
  sums: ['amount', 'fee', 'received'],
  states: [4, 0],
  user: ['userId', 'w.user_id'],
};
export const people: List = {
  path: 'user/list',
  noun: 4,
  tables: ['account'],
  from: sql`users w`,
  sums: [],
  states: [1, 0],
  user: ['id', 'w.id'],
};
export const funds: List = {
  path: 'fund/record',
  noun: 3,
  tables: ['entry', 'fund_check'],
  from: sql`(select e.*, coalesce(c.state, 0) as state from entry e left join fund_check c on c.entry_id = e.id
    where e.user_id is not null) w`,
  sums: ['amount'],
  states: [0, 2],
  user: ['userId', 'w.user_id'],
};

/** The rows of an agent with all below it. */
export const below = (account: string): RawBuilder<unknown> =>
  sql`w.agent_id in (select c.descendant from closure c join agent a on a.id = c.ancestor where a.account = ${account})`;

/** The rows of an agent with those that it has taken over. */
export const shownAs = (account: string): RawBuilder<unknown> =>
  sql`w.agent_id in (select id from agent where shown = ${account})`;

/** The rows of the users whose accounts begin so. */
export const beginning = ({ user: [, column] }: List, text: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} in (select id from users where account like ${`${text}%`})`;

/**
 * Reads what a list reads into memory, as it is there after a day's work, without the keys that only those who write look into;
 * the largest first, so that what is read most often stays nearest. Asked for before each list, as a machine may take memory
 * back from what has not been read for some minutes.
 */
export async function readIn(database: BenchDatabase, { path, tables }: List): Promise<void> {
  await database.query(sql`create extension if not exists pg_prewarm`);
  const names = [...tables, 'users', 'roll_block', 'roll_sum', 'agent', 'closure'];
  const [read] = await database.query(sql<{ mb: number }>`
    select sum(pg_prewarm(id))::bigint * 8 / 1024 as mb from (
      select c.oid as id from pg_class t left join pg_index i on i.indrelid = t.oid join pg_class c on c.oid in (t.oid, i.indexrelid)
      where t.relname = any(${names}) and (i.indisprimary or not i.indisunique) is not false
      group by 1 order by pg_relation_size(c.oid) desc) all_of_them`);
  say(`${path}: ${read?.mb} MB read into memory`);
}

/** The total and, where rows have coins, the sums by coin, as plain SQL has them, without any rollup. */
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
