import { useState } from 'react';
import { type BulkLine, BulkResults } from '../ui/BulkResults.tsx';

interface Asked<Row, Deed> {
  deed: Deed;
  rows: readonly Row[];
}

interface Selecting<Row> {
  select: (rows: readonly Row[], on: boolean) => void;
}

/** A deed that is done to the chosen rows of a list: what is asked, and what became of each row. */
export function useMany<Row extends { id: number; account: string }, Deed>(
  list: Selecting<Row>,
  titleOf: (deed: Deed) => string,
) {
  const [asked, setAsked] = useState<Asked<Row, Deed>>();
  const [told, setTold] = useState<Asked<Row, Deed> & { lines: readonly BulkLine[] }>();
  return {
    ask: (deed: Deed, rows: readonly Row[]) => setAsked({ deed, rows }),
    asked,
    onClose: () => setAsked(undefined),
    /** What was done or submitted is chosen no longer; what was not stays, to be tried again. */
    onDone: (lines: readonly BulkLine[]) => {
      if (!asked) return;
      const done = new Set(lines.filter(({ code }) => code === 200 || code === 202).map(({ id }) => id));
      list.select(
        asked.rows.filter(({ id }) => done.has(id)),
        false,
      );
      setAsked(undefined);
      setTold({ ...asked, lines });
    },
    results: told && (
      <BulkResults
        title={titleOf(told.deed)}
        results={told.lines}
        nameOf={(id) => told.rows.find((row) => row.id === id)?.account}
        onClose={() => setTold(undefined)}
      />
    ),
  };
}
