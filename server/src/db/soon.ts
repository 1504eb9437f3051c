import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from './connect.ts';

/**
 * Rows that many events of one transaction write, kept and written together. A writer writes many rows as it would write
 * them one behind the other, and throws where one of them cannot be written: then the caller does all of it again, row by
 * row, and finds which. Whoever reads what may be waiting asks for `writeSoon` before. Where a transaction lets nothing
 * wait, each is written at once.
 */
type Writer<T> = (db: Db, rows: readonly T[]) => Promise<unknown>;

interface Waiting {
  rows: Map<unknown, unknown[]>;
  writers: (() => Promise<unknown>)[];
  /** Ids that are taken and not used yet, by table. */
  ids: Map<string, number[]>;
  /** How many rows of the kind that is written now may still come, this one included: so many ids are taken at once. */
  expected: number;
}

const waitingIn = new WeakMap<Db, Waiting>();

export function startWaiting(db: Db): void {
  waitingIn.set(db, { rows: new Map(), writers: [], ids: new Map(), expected: 1 });
}

/** Says how many rows like the next one may come, so that hardly an id is taken that nobody uses. */
export function expectRows(db: Db, many: number): void {
  const waiting = waitingIn.get(db);
  if (waiting) waiting.expected = many;
}

/** Writes a row together with others of its kind. */
export async function soon<T>(db: Db, write: Writer<T>, row: T): Promise<void> {
  const waiting = waitingIn.get(db);
  if (!waiting) {
    await write(db, [row]);
    return;
  }
  // Under a writer stand its own rows.
  const rows = waiting.rows.get(write) as T[] | undefined;
  if (rows) rows.push(row);
  else {
    const first = [row];
    waiting.rows.set(write, first);
    waiting.writers.push(() => write(db, first));
  }
}

/**
 * As `soon` for a row that others name by its id, which it is given before it is written.
 *
 * @param write answers the ids of what it wrote; it numbers what has no id yet
 */
export async function insertSoon<T extends object>(
  db: Db,
  table: string,
  write: (db: Db, rows: readonly (T & { id: number | null })[]) => Promise<readonly number[]>,
  row: T,
): Promise<number> {
  const waiting = waitingIn.get(db);
  const id = waiting ? await takeId(db, waiting, table) : undefined;
  if (id !== undefined) {
    await soon(db, write, { ...row, id });
    return id;
  }
  const [written] = await write(db, [{ ...row, id: null }]);
  if (written === undefined) throw new Error(`nothing was written to ${table}`);
  return written;
}

async function takeId(db: Db, { ids, expected }: Waiting, table: string): Promise<number | undefined> {
  const left = ids.get(table) ?? [];
  if (left.length === 0) {
    const { rows } = await sql<{ id: number }>`${prepared}
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${expected}::int)`.execute(
      db,
    );
    left.push(...rows.map(({ id }) => id).toSorted((a, b) => a - b));
  }
  ids.set(table, left);
  return left.shift();
}

/** Writes all that waits, kind by kind. */
export async function writeSoon(db: Db): Promise<void> {
  const waiting = waitingIn.get(db);
  if (!waiting) return;
  waiting.rows.clear();
  for (const write of waiting.writers.splice(0)) await write();
}

/** Rows as a table of a statement: `unnest(…) with ordinality as r("name", …, n)`, so that its text never varies. */
export function rowsAs<K extends string>(
  as: string,
  types: Readonly<Record<K, string>>,
  rows: readonly Readonly<Record<K, unknown>>[],
): RawBuilder<unknown> {
  const names = Object.keys(types) as K[];
  const columns = names.map((name) => sql`${rows.map((row) => row[name] ?? null)}::${sql.raw(types[name])}[]`);
  return sql`unnest(${sql.join(columns)}) with ordinality as ${sql.raw(`${as}(${names.map((name) => `"${name}"`).join(', ')}, n)`)}`;
}
