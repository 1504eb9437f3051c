import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';

const BATCH = 1_000;

/**
 * Reads the rows of a statement in batches by a server-side cursor, without prefetching. `db` must be a transaction, and
 * only one such cursor can be open in it.
 *
 * @param row maps each row
 */
export async function* fetchBatches<Row, Mapped = Row>(
  db: Db,
  statement: RawBuilder<unknown>,
  row?: (row: Row) => Mapped,
): AsyncGenerator<(Row | Mapped)[]> {
  // All rows are read, so the planner must optimize for the total time and not for the first rows.
  await sql`set local cursor_tuple_fraction = 1`.execute(db);
  await sql`declare whole_list no scroll cursor for ${statement}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(BATCH)} from whole_list`.execute(db);
    // Read the length before the yield, because the consumer may change the array.
    const last = rows.length < BATCH;
    if (rows.length > 0) yield row ? rows.map(row) : rows;
    if (last) return;
  }
}
