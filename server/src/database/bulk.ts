import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from './connect.ts';

interface ColumnValues {
  bigint: number;
  int: number;
  numeric: string;
  text: string;
  boolean: boolean;
}

/** A row with columns of these types, as `unnestRows` takes it. `Nullable` names the columns that may be null. */
export type BulkRow<
  Types extends Readonly<Record<string, keyof ColumnValues>>,
  Nullable extends keyof Types = never,
> = {
  [K in keyof Types]: ColumnValues[Types[K]] | (K extends Nullable ? null : never);
};

/** Rows as a table expression, numbered by `n`: `unnest(…) with ordinality as r("name", …, n)`. Its text is constant. */
export function unnestRows<K extends string>(
  as: string,
  types: Readonly<Record<K, string>>,
  rows: readonly Readonly<Record<NoInfer<K>, unknown>>[],
): RawBuilder<unknown> {
  const names = Object.keys(types) as K[];
  const columns = names.map((name) => sql`${rows.map((row) => row[name] ?? null)}::${sql.raw(types[name])}[]`);
  return sql`unnest(${sql.join(columns)}) with ordinality as ${sql.raw(`${as}(${names.map((name) => `"${name}"`).join(', ')}, n)`)}`;
}

/** Takes the next `count` ids of a table, in ascending order. */
export async function takeIds(db: Db, table: string, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${prepared}
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`.execute(db);
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}
