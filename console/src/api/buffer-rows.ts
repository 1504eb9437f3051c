interface Keyed {
  id: number;
}

export interface BufferedRows<Row> {
  rows: readonly Row[];
  /** Newer rows that are known and not shown yet. */
  waiting: number;
}

/**
 * What a table may show after a silent refresh of a newest-first page: the rows on screen stay where they are, with
 * their fresh values; rows that no longer match leave; rows that came in above are counted and wait to be asked for.
 */
export function bufferRows<Row extends Keyed>(
  shown: readonly Row[],
  fresh: readonly Row[],
  size: number,
  grownBy: number,
): BufferedRows<Row> {
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const known = new Set(shown.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => known.has(row.id));
  if (lastKnown < 0 && shown.length === 0) return { rows: fresh, waiting: 0 };
  const above = fresh.filter((row, i) => i < lastKnown && !known.has(row.id)).length;
  // Nothing on screen is in the answer: with a full page the newer rows have pushed all of it off, else it is gone.
  if (lastKnown < 0) {
    return fresh.length < size
      ? { rows: fresh, waiting: 0 }
      : { rows: shown, waiting: Math.max(fresh.length, grownBy) };
  }
  const lastShown = shown.findLastIndex((row) => freshById.has(row.id));
  const pushedOff = fresh.length >= size && above > 0;
  const kept = shown.flatMap((row, i) => {
    const now = freshById.get(row.id);
    if (now) return [now];
    return i > lastShown && pushedOff ? [row] : [];
  });
  const below = fresh.slice(lastKnown + 1);
  return { rows: [...kept, ...below].slice(0, size), waiting: above };
}
