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
  const displayedIds = new Set(displayed.map((row) => row.id));
  const lastKnown = latest.findLastIndex((row) => displayedIds.has(row.id));
  if (lastKnown < 0 && displayed.length === 0) return { rows: latest, waiting: 0 };
  const newCount = latest.filter((row, i) => i < lastKnown && !displayedIds.has(row.id)).length;
  // No displayed row is in the response. If the response is a full page, newer rows pushed them off; otherwise they no
  // longer match.
  if (lastKnown < 0) {
    return latest.length < size
      ? { rows: latest, waiting: 0 }
      : { rows: displayed, waiting: Math.max(latest.length, growth) };
  }
  const lastMatch = displayed.findLastIndex((row) => latestById.has(row.id));
  const isPushedOff = latest.length >= size && newCount > 0;
  const remaining = displayed.flatMap((row, i) => {
    const updated = latestById.get(row.id);
    if (updated) return [updated];
    return i > lastMatch && isPushedOff ? [row] : [];
  });
  const rowsBelow = latest.slice(lastKnown + 1);
  return { rows: [...remaining, ...rowsBelow].slice(0, size), waiting: newCount };
}
