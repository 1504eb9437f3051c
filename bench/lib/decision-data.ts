import { KEY_COLUMNS, keyValues } from './destination.ts';
import { sql } from 'kysely';
import { STRIPES } from '../../server/src/books/ledger/account.ts';
import { checkBook } from '../../server/src/books/ledger/check.ts';
import { compactCounters } from '../../server/src/books/lists/counters.ts';
import { type BenchDatabase, vacuumAndAnalyze } from './database.ts';
import { ensure } from './run.ts';
import type { DerivedVariable } from './template.ts';

/**
 * The ids of a user's agent and accounts derive from the user's id, so that pgbench scripts need one variable. The blocks of
 * ids are a million apart. Records created during the run have ids from `NEXT`.
 */
export const FIRST_ID = 1_000_000;
const ACTIVE = 2_000_000;
const FROZEN = 4_000_000;
const NEXT = 20_000_000;
const AGENTS = 50;
const FIRST_AGENT = 101;
const FIRST_CUSTODY = 201;

export const derivedVariables: readonly DerivedVariable[] = [
  { name: 'id', of: (id) => id, expression: ':id' },
  { name: 'active', of: (id) => id + ACTIVE, expression: `:id + ${ACTIVE}` },
  { name: 'frozen', of: (id) => id + FROZEN, expression: `:id + ${FROZEN}` },
  { name: 'agent', of: (id) => FIRST_AGENT + (id % AGENTS), expression: `${FIRST_AGENT} + :id % ${AGENTS}` },
  { name: 'custody', of: (id) => FIRST_CUSTODY + (id % STRIPES), expression: `${FIRST_CUSTODY} + :id % ${STRIPES}` },
  { name: 'stripe', of: (id) => id % STRIPES, expression: `:id % ${STRIPES}` },
];

/** Two ids whose derived values all differ. */
export const RECORDED_IDS = [FIRST_ID + 3, FIRST_ID + 12] as const;
/** Offset of the first id that was not used for recording. */
export const FIRST_UNUSED_OFFSET = 20;

export interface Ids {
  /** Reserves `count` unused ids and returns the first. */
  take: (count: number) => number;
}

/** @param count number of loaded ids, starting at `FIRST_ID` */
export function allocateIds(count: number): Ids {
  let next = FIRST_ID + FIRST_UNUSED_OFFSET;
  return {
    take: (wanted) => {
      const first = next;
      next += wanted;
      ensure(next <= FIRST_ID + count, 'too few users were loaded');
      return first;
    },
  };
}

/**
 * Loads `count` users with 1,000 USDT each and the matching ledger entries. With `review`, each has a withdrawal of 100 that
 * waits for review and is frozen.
 */
export async function loadDecisionData(database: BenchDatabase, count: number, review: boolean): Promise<void> {
  const now = Date.now();
  await loadPeople(database, count, now);
  await loadOpening(database, count, now);
  if (review) await loadWithdrawals(database, count, now);
  await sql`update account a set balance = e.amount
    from (select account_id, sum(amount) as amount from entry group by 1) e where e.account_id = a.id`.execute(
    database.db,
  );
  for (const table of ['account', 'transfer', 'entry', 'withdraw', 'recharge', 'hold']) {
    await sql`alter table ${sql.table(table)} alter column id restart with ${sql.lit(NEXT)}`.execute(database.db);
  }
  await sql`alter sequence leg_id restart with ${sql.lit(NEXT)}`.execute(database.db);
  await compactCounters({ system: database.db });
  await vacuumAndAnalyze(database);
}

const ids = (count: number) => sql`generate_series(${FIRST_ID}::bigint, ${FIRST_ID + count - 1}::bigint) i`;

async function loadPeople({ db }: BenchDatabase, count: number, now: number): Promise<void> {
  await sql`
    insert into agent (id, account, parent_id, depth, created_at, recorded_at, updated_at)
    select ${FIRST_AGENT} + k, 'agent' || k, 1, 1, ${now}::bigint, ${now}::bigint, ${now}::bigint from generate_series(0, ${AGENTS}::int - 1) k`.execute(
    db,
  );
  await sql`
    insert into closure (ancestor, descendant)
    select 1, id from agent where id > 1 union all select id, id from agent where id > 1`.execute(db);
  await sql`
    insert into users (id, account, agent_id, created_at, recorded_at, updated_at) overriding system value
    select i, 'bench' || i, ${FIRST_AGENT} + i % ${AGENTS}, ${now}::bigint, ${now}::bigint, ${now}::bigint from ${ids(count)}`.execute(
    db,
  );
  await sql`
    insert into account (id, owner, owner_id, market_id, platform, bucket, created_at) overriding system value
    select ${FIRST_CUSTODY} + s, 'custody', s, 1, 0, 'active', ${now}::bigint from generate_series(0, ${STRIPES}::int - 1) s`.execute(
    db,
  );
  await sql`
    insert into account (id, owner, owner_id, user_id, agent_id, market_id, platform, bucket, created_at) overriding system value
    select i + b.block, 'user', i, i, ${FIRST_AGENT} + i % ${AGENTS}, 1, 1, b.bucket, ${now}::bigint
    from ${ids(count)}, (values (${ACTIVE}::bigint, 'active'), (${FROZEN}::bigint, 'frozen')) b(block, bucket)`.execute(
    db,
  );
}

/** Loads one transfer per user from the custody account of its stripe. */
async function loadOpening({ db }: BenchDatabase, count: number, now: number): Promise<void> {
  await sql`
    with made as (
      insert into transfer (id, ref_type, ref_id, created_at, recorded_at) overriding system value
      select i, 'recharge', i, ${now}::bigint, ${now}::bigint from ${ids(count)}
    ),
    joined as (insert into leg (id, transfer_id, market_id, amount) select i, i, 1, 1000 from ${ids(count)})
    insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
      balance, ref_type, ref_id, created_at, recorded_at)
    select i, i, i, -1, ${FIRST_CUSTODY} + i % ${STRIPES}, 1, null, null, 0, 'active', 1, -1000,
      -1000 * row_number() over (partition by i % ${STRIPES} order by i), 'recharge', i, ${now}::bigint, ${now}::bigint from ${ids(count)}
    union all
    select i + ${ACTIVE}, i, i, 1, i + ${ACTIVE}, 1, i, ${FIRST_AGENT} + i % ${AGENTS}, 1, 'active', 1, 1000, 1000,
      'recharge', i, ${now}::bigint, ${now}::bigint from ${ids(count)}`.execute(db);
}

async function loadWithdrawals({ db }: BenchDatabase, count: number, now: number): Promise<void> {
  const BLOCK = 10_000_000;
  await sql`
    insert into withdraw (id, no, user_id, agent_id, market_id, network, address, amount, fee, valuation, state, created_at,
      recorded_at, updated_at, ${KEY_COLUMNS}) overriding system value
    select i, 'W' || i, i, ${FIRST_AGENT} + i % ${AGENTS}, 1, 'TRC20', 'T' || i, 100, 1, 100, 0, ${now}::bigint, ${now}::bigint, ${now}::bigint,
      ${keyValues(sql`'T' || i`)}
    from ${ids(count)}`.execute(db);
  await sql`
    insert into hold (ref_type, ref_id, user_id, agent_id, market_id, platform, amount, created_at)
    select 'withdraw', i, i, ${FIRST_AGENT} + i % ${AGENTS}, 1, 1, 100, ${now}::bigint from ${ids(count)}`.execute(db);
  await sql`
    with made as (
      insert into transfer (id, ref_type, ref_id, created_at, recorded_at) overriding system value
      select i + ${BLOCK}, 'withdraw', i, ${now}::bigint, ${now}::bigint from ${ids(count)}
    ),
    joined as (
      insert into leg (id, transfer_id, market_id, amount) select i + ${BLOCK}, i + ${BLOCK}, 1, 100 from ${ids(count)}
    )
    insert into entry (id, transfer_id, leg_id, side, account_id, market_id, user_id, agent_id, platform, bucket, type, amount,
      balance, ref_type, ref_id, created_at, recorded_at)
    select i + ${BLOCK} + b.block, i + ${BLOCK}, i + ${BLOCK}, b.side, i + b.block, 1, i, ${FIRST_AGENT} + i % ${AGENTS}, 1,
      b.bucket, 10, b.side * 100, b.balance, 'withdraw', i, ${now}::bigint, ${now}::bigint
    from ${ids(count)}, (values (${ACTIVE}::bigint, 'active', -1, 900), (${FROZEN}::bigint, 'frozen', 1, 100))
      b(block, bucket, side, balance)`.execute(db);
}

/** Throws unless the whole ledger balances. */
export async function verifyLedger({ db }: BenchDatabase): Promise<void> {
  const discrepancies = await checkBook(db);
  ensure(discrepancies.length === 0, `the ledger does not balance: ${discrepancies.slice(0, 3).join('; ')}`);
}
