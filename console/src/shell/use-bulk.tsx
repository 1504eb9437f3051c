import { type ReactNode, useState } from 'react';
import { type BulkLine, BulkResults } from '../ui/BulkResults.tsx';

interface Row {
  id: number;
  account: string;
}

interface Selecting<R> {
  select: (rows: readonly R[], on: boolean) => void;
}

export interface Bulk<R> {
  /** What is asked about now. */
  rows: readonly R[] | undefined;
  ask: (rows: readonly R[]) => void;
  close: () => void;
  /** What was done is selected no more; what was not stays, to be looked at. */
  done: (lines: readonly BulkLine[]) => void;
  /** What became of each, until it is closed. */
  results: ReactNode;
}

/** A deed that is done to many rows of a list at once: the asking, and afterwards what became of each. */
export function useBulk<R extends Row>(list: Selecting<R>, title: string): Bulk<R> {
  const [rows, setRows] = useState<readonly R[]>();
  const [results, setResults] = useState<{ lines: readonly BulkLine[]; names: ReadonlyMap<number, string> }>();
  return {
    rows,
    ask: setRows,
    close: () => setRows(undefined),
    done: (lines) => {
      const asked = rows ?? [];
      const did = new Set(lines.filter(({ code }) => code === 200 || code === 202).map(({ id }) => id));
      list.select(
        asked.filter(({ id }) => did.has(id)),
        false,
      );
      setRows(undefined);
      setResults({ lines, names: new Map(asked.map(({ id, account }) => [id, account])) });
    },
    results: results && (
      <BulkResults
        title={title}
        results={results.lines}
        nameOf={(id) => results.names.get(id)}
        onClose={() => setResults(undefined)}
      />
    ),
  };
}
