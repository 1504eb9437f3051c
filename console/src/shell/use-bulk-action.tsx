import { useState } from 'react';
import { type BulkLine, BulkResults } from '../ui/BulkResults.tsx';

interface BulkRequest<Row, Action> {
  action: Action;
  rows: readonly Row[];
}

interface Selectable<Row> {
  select: (rows: readonly Row[], on: boolean) => void;
}

/** An action that is done to the chosen rows of a list: what is asked, and what became of each row. */
export function useBulkAction<Row extends { id: number; account: string }, Action>(
  list: Selectable<Row>,
  titleOf: (action: Action) => string,
) {
  const [request, setRequest] = useState<BulkRequest<Row, Action>>();
  const [finished, setFinished] = useState<BulkRequest<Row, Action> & { lines: readonly BulkLine[] }>();
  return {
    ask: (action: Action, rows: readonly Row[]) => setRequest({ action, rows }),
    request,
    onClose: () => setRequest(undefined),
    /** What was done or submitted is chosen no longer; what was not stays, to be tried again. */
    onDone: (lines: readonly BulkLine[]) => {
      if (!request) return;
      const done = new Set(lines.filter(({ code }) => code === 200 || code === 202).map(({ id }) => id));
      list.select(
        request.rows.filter(({ id }) => done.has(id)),
        false,
      );
      setRequest(undefined);
      setFinished({ ...request, lines });
    },
    results: finished && (
      <BulkResults
        title={titleOf(finished.action)}
        results={finished.lines}
        nameOf={(id) => finished.rows.find((row) => row.id === id)?.account}
        onClose={() => setFinished(undefined)}
      />
    ),
  };
}
