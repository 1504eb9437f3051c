import { type ListSpec, type PageInput, filtersOf, singleField } from '@hengtai/contract/wire/list';
import { type RawBuilder, sql } from 'kysely';
import type { App } from '../../app/context.ts';
import { type Db, inTransaction } from '../../database/connect.ts';

/** How the counters of a table's rows are read. The migrations declare the same tables with count_table(). */
export interface Counters {
  /** Code of the resource in the database; it never changes. */
  resource: number;
  /** A block has the rows of 2^blockBits ids. */
  blockBits: number;
  /**
   * The condition of each counted filter on the array `dims` of the counters, for one value or for an array of values. The first
   * is the state; blocks are counted by it alone.
   */
  dims: Readonly<Record<string, (value: unknown) => RawBuilder<unknown>>>;
}

const dim =
  (index: number) =>
  (value: unknown): RawBuilder<unknown> =>
    Array.isArray(value)
      ? sql`dims[${sql.lit(index)}] = any(${value}::int[])`
      : sql`dims[${sql.lit(index)}] = ${value}::int`;

/** The bits of the risk codes of a withdrawal, in its second dimension. */
const riskBits: Readonly<Record<string, number>> = {
  first_address: 1,
  shared_address: 2,
  over_limit: 4,
  credential_changed: 8,
  ledger_mismatch: 16,
  manual_balance: 32,
  address_format: 64,
  memo_missing: 128,
  related_listed: 256,
};

/** The tables with long lists. */
export const counters = {
  withdraw: {
    resource: 1,
    blockBits: 14,
    dims: { state: dim(1), risk: (value) => sql`dims[2] & ${riskBits[String(value)] ?? 0}::int <> 0` },
  },
  recharge: { resource: 2, blockBits: 15, dims: { state: dim(1), source: dim(2) } },
  entry: {
    resource: 3,
    blockBits: 15,
    dims: {
      state: dim(1),
      type: dim(2),
      platform: dim(3),
      bucket: (value) => dim(4)({ active: 0, frozen: 1 }[String(value)] ?? null),
    },
  },
  users: { resource: 4, blockBits: 15, dims: { state: dim(1), auth: dim(2) } },
  ieo: { resource: 5, blockBits: 15, dims: { state: dim(1) } },
} as const satisfies Record<string, Counters>;

/** Whether a filter is on something that blocks are not counted by. */
export function isCountedInDetail({ dims }: Counters, spec: ListSpec, input: PageInput): boolean {
  const values: Readonly<Record<string, unknown>> = { ...input };
  return filtersOf(spec).some((filter) => {
    const field = singleField(filter);
    return values[filter.field] !== undefined && field !== 'state' && Object.hasOwn(dims, field);
  });
}

/** Adds the deltas of recent writes to the counters. Does nothing if there are none, or while another process does it. */
export async function compactCounters(app: Pick<App, 'system'>): Promise<boolean> {
  for (const [deltas, compact] of [
    ['counter_delta', 'compact_counters'],
    ['counter_address_delta', 'compact_addresses'],
  ] as const) {
    const { rows } = await sql`select 1 from ${sql.table(deltas)} limit 1`.execute(app.system);
    if (rows.length > 0) await withoutTimeout(app.system, sql`select ${sql.raw(compact)}()`);
  }
  return false;
}

/** Recomputes all counters from the rows, as the owner of the database, over two connections of its pool. */
export async function rebuildCounters(owner: Db): Promise<void> {
  const rebuild = (all: RawBuilder<unknown>) => withoutTimeout(owner, sql`select ${all}`);
  await Promise.all([rebuild(sql`rebuild_counters()`), rebuild(sql`rebuild_addresses()`)]);
}

/** A counter that differs from the rows. */
export interface CounterDifference {
  table: string;
  place: string;
  counted: string;
  rows: string;
}

/** Compares all counters with the rows, as the owner of the database. Deltas are taken into account. */
export function checkCounters(owner: Db): Promise<CounterDifference[]> {
  return withoutTimeout(
    owner,
    sql<CounterDifference>`
      select (select min(s.table_name) from counter_source s where s.resource = c.resource) as "table", c.place,
        coalesce(c.counted, '') as counted, coalesce(c.rows, '') as rows from check_counters() c
      union all select 'withdraw', place, counted, rows from check_addresses()`,
  );
}

async function withoutTimeout<T>(pool: Db, statement: RawBuilder<T>): Promise<T[]> {
  return inTransaction(pool, async (db) => {
    await sql`set local statement_timeout = 0`.execute(db);
    return (await statement.execute(db)).rows;
  });
}
