import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';

const BATCH = 1_000;

/**
 * The rows of a statement as they are asked for: the database keeps the place, and nothing is read ahead of the reader.
 * `db` is a transaction, and reads nothing else by cursor meanwhile.
 *
 * @param row what is made of a row before it is given on
 */
export async function* batchesOf<Row>(
  db: Db,
  statement: RawBuilder<unknown>,
  row?: (row: Row) => Row,
): AsyncGenerator<Row[]> {
  // All of the rows will be read, so the plan that is quickest to the first one is not the one that is wanted.
  await sql`set local cursor_tuple_fraction = 1`.execute(db);
  await sql`declare whole_list no scroll cursor for ${statement}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(BATCH)} from whole_list`.execute(db);
    // Counted before they are given away: they are the taker's then.
    const last = rows.length < BATCH;
    if (rows.length > 0) yield row ? rows.map(row) : rows;
    if (last) return;
  }
}
