interface Keyed {
  id: number;
}

export interface BufferedRows<Row> {
  rows: readonly Row[];
  /** Number of newer rows that are loaded but not displayed. */
  waiting: number;
}

/**
 * Merges a silent refresh into the first page of a newest-first list. Rows on screen keep their place and get their new
 * values, rows that no longer match are removed, and new rows at the top are only counted.
 *
 * @param size page size
 * @param growth how much the total grew since all rows were last displayed
 */
export function bufferRows<Row extends Keyed>(
  displayed: readonly Row[],
  latest: readonly Row[],
  size: number,
  growth: number,
): BufferedRows<Row> {
  const latestById = new Map(latest.map((row) => [row.id, row]));
  const known = new Set(displayed.map((row) => row.id));
  const lastKnown = latest.findLastIndex((row) => known.has(row.id));
  if (lastKnown < 0 && displayed.length === 0) return { rows: latest, waiting: 0 };
  const above = latest.filter((row, i) => i < lastKnown && !known.has(row.id)).length;
  // No displayed row is in the response. If the response is a full page, newer rows pushed them off; otherwise they no
  // longer match.
  if (lastKnown < 0) {
    return latest.length < size
      ? { rows: latest, waiting: 0 }
      : { rows: displayed, waiting: Math.max(latest.length, growth) };
  }
  const lastMatch = displayed.findLastIndex((row) => latestById.has(row.id));
  const isPushedOff = latest.length >= size && above > 0;
  const remaining = displayed.flatMap((row, i) => {
    const now = latestById.get(row.id);
    if (now) return [now];
    return i > lastMatch && isPushedOff ? [row] : [];
  });
  const below = latest.slice(lastKnown + 1);
  return { rows: [...remaining, ...below].slice(0, size), waiting: above };
}
