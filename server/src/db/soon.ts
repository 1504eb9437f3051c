import type { Db } from './connect.ts';

/** Writes many rows of a kind as it would write them one behind the other. */
type Writer<T> = (db: Db, rows: readonly T[]) => Promise<void>;

const waiting = new WeakMap<Db, (() => Promise<void>)[]>();
const rowsOf = new WeakMap<Db, Map<unknown, unknown[]>>();

/** From here on the transaction keeps what is to be written soon, until `writeSoon`. */
export function startWaiting(db: Db): void {
  waiting.set(db, []);
  rowsOf.set(db, new Map());
}

/** Writes a row together with others of its kind, which nothing else in the transaction reads; at once where none waits. */
export async function soon<T>(db: Db, write: Writer<T>, row: T): Promise<void> {
  const [writers, kinds] = [waiting.get(db), rowsOf.get(db)];
  if (!writers || !kinds) return write(db, [row]);
  // Under a writer stand its own rows.
  const rows = kinds.get(write) as T[] | undefined;
  if (rows) rows.push(row);
  else {
    const first = [row];
    kinds.set(write, first);
    writers.push(() => write(db, first));
  }
}

export async function writeSoon(db: Db): Promise<void> {
  const writers = waiting.get(db)?.splice(0) ?? [];
  rowsOf.get(db)?.clear();
  for (const write of writers) await write();
}
