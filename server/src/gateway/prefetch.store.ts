import type { Db } from '../db/connect.ts';

/**
 * Rows of one kind that the events of a group name, read and held in one statement before the first of them. Each serves
 * the first event that takes it and is forgotten then: that one changes it, and the next has to read what became of it.
 */
export interface Prefetched<T> {
  /** Keeps what was found by these numbers, and of the others that there was nothing. */
  keep: (db: Db, numbers: readonly string[], rows: readonly T[]) => void;
  /** @returns undefined where it was not read ahead; `row` is undefined where there was none */
  take: (db: Db, no: string) => { row: T | undefined } | undefined;
  /** A row is about to be made where there was none. */
  forget: (db: Db, no: string) => void;
}

export function prefetchedRows<T extends { no: string }>(): Prefetched<T> {
  const kept = new WeakMap<Db, Map<string, T | undefined>>();
  return {
    keep: (db, numbers, rows) => {
      const all = new Map<string, T | undefined>(numbers.map((no) => [no, undefined]));
      for (const row of rows) all.set(row.no, row);
      kept.set(db, all);
    },
    take: (db, no) => {
      const all = kept.get(db);
      if (!all?.has(no)) return undefined;
      const row = all.get(no);
      all.delete(no);
      return { row };
    },
    forget: (db, no) => void kept.get(db)?.delete(no),
  };
}
