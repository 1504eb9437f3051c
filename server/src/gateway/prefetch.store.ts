import type { Db } from '../db/connect.ts';

/**
 * Rows of one table that the events of a group name, read and locked by one statement before the first event. Each row
 * serves one event only: that event changes it, so the next one must read it again.
 */
export interface Prefetched<T> {
  /** Stores the rows found under these numbers, and remembers which numbers have no row. */
  keep: (db: Db, numbers: readonly string[], rows: readonly T[]) => void;
  /** @returns undefined if the number was not prefetched; `row` is undefined if there was no row */
  take: (db: Db, no: string) => { row: T | undefined } | undefined;
  /** Must be called before a row with this number is inserted. */
  forget: (db: Db, no: string) => void;
}

/** Creates a store of prefetched rows; each transaction has its own. */
export function prefetchedRows<T extends { no: string }>(): Prefetched<T> {
  const cache = new WeakMap<Db, Map<string, T | undefined>>();
  return {
    keep: (db, numbers, rows) => {
      const byNumber = new Map<string, T | undefined>(numbers.map((no) => [no, undefined]));
      for (const row of rows) byNumber.set(row.no, row);
      cache.set(db, byNumber);
    },
    take: (db, no) => {
      const byNumber = cache.get(db);
      if (!byNumber?.has(no)) return undefined;
      const row = byNumber.get(no);
      byNumber.delete(no);
      return { row };
    },
    forget: (db, no) => void cache.get(db)?.delete(no),
  };
}
