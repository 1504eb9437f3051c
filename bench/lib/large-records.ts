import { type RawBuilder, sql } from 'kysely';
import type { BenchDatabase } from './database.ts';
import { MARKETS, ROW_MS, withoutIndexes, withoutTriggers } from './large-rows.ts';

/** Fills of one order. */
const FILLS = 10;

/** A row of each number from 1 to `rows`, of a user drawn like the owner of a withdrawal, with its time `at`. */
const drawn = (rows: number, users: number, now: number): RawBuilder<unknown> => sql`
  (select n, user_id, (select agent_id from users u where u.id = user_id) as agent_id, ${now}::bigint - (${rows}::bigint - n) * ${ROW_MS} as at
    from (select n, greatest(1, floor(power(${users}::float8, random()))::bigint) as user_id from generate_series(1, ${rows}::bigint) n) d) r`;

/** One of 16 operators, evenly. */
const reviewer = sql`'agent' || 1 + n % 16`;

/** Decided identity reviews and subscriptions, and the fills of spot orders: the lists of so many rows without counters. */
export async function loadRecords(database: BenchDatabase, rows: number, users: number): Promise<void> {
  const now = Date.now();
  const load = (table: string, statement: RawBuilder<unknown>): Promise<void> =>
    withoutIndexes(database, table, () => withoutTriggers(database, (db) => statement.execute(db)));
  await database.query(sql`select setseed(0.5)`);
  await load(
    'auth',
    sql`insert into auth (user_id, agent_id, name, country, id_type, id_number, name_key, number_key, level, state, by_account, reviewed_at, created_at, recorded_at, updated_at)
      select user_id, agent_id, 'Name ' || user_id % 400000, 'CN', 1 + n % 3, 'ID' || user_id, 'name ' || user_id % 400000, 'ID' || user_id, 1 + n % 2, 1 + (n % 7 = 0)::int, ${reviewer}, at, at, at, at
      from ${drawn(rows, users, now)}`,
  );
  await load(
    'ieo',
    sql`insert into ieo (no, user_id, agent_id, market_id, price, amount, pay, state, by_account, reviewed_at, created_at, recorded_at, updated_at)
      select 'I' || n, user_id, agent_id, 1 + n % 5, 2, 1 + n % 1000, 2 * (1 + n % 1000), 1 + n % 3, ${reviewer}, at, at, at, at
      from ${drawn(rows, users, now)}`,
  );
  await load(
    'trade_order',
    sql`insert into trade_order (no, user_id, agent_id, market_id, side, type, price, amount, filled, turnover, frozen, state, created_at, recorded_at, updated_at)
      select 'O' || n, user_id, agent_id, 1 + n % ${MARKETS}, 1 + n % 2, 1, 2, 1000, 1000, 2000, 0, 2, at, at, at
      from ${drawn(Math.ceil(rows / FILLS), users, now)}`,
  );
  await load(
    'trade_fill',
    sql`insert into trade_fill (order_id, trade_no, user_id, agent_id, market_id, price, amount, turnover, fee, created_at, recorded_at)
      select o.id, 'F' || o.id || '-' || k, o.user_id, o.agent_id, o.market_id, 2, 1000.0 / ${FILLS}, 2000.0 / ${FILLS}, 0.1, o.created_at + k, o.created_at + k
      from trade_order o cross join generate_series(1, ${FILLS}) k order by o.id, k`,
  );
}
