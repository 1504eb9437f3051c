import { useState } from 'react';
import { type BulkLine, BulkResults } from '../ui/BulkResults.tsx';

interface BulkRequest<Row, Action> {
  action: Action;
  rows: readonly Row[];
}

interface Selectable<Row> {
  select: (rows: readonly Row[], on: boolean) => void;
}

/** State of a bulk action on selected rows: the request, and then the results. */
export function useBulkAction<Row extends { id: number; account: string | null }, Action>(
  list: Selectable<Row>,
  titleOf: (action: Action) => string,
) {
  const [request, setRequest] = useState<BulkRequest<Row, Action>>();
  const [finished, setFinished] = useState<BulkRequest<Row, Action> & { lines: readonly BulkLine[] }>();
  return {
    ask: (action: Action, rows: readonly Row[]) => setRequest({ action, rows }),
    request,
    onClose: () => setRequest(undefined),
    /** Deselects succeeded and submitted rows; failed rows stay selected for a retry. */
    onDone: (lines: readonly BulkLine[]) => {
      if (!request) return;
      const succeeded = new Set(lines.filter(({ code }) => code === 200 || code === 202).map(({ id }) => id));
      list.select(
        request.rows.filter(({ id }) => succeeded.has(id)),
        false,
      );
      setRequest(undefined);
      setFinished({ ...request, lines });
    },
    results: finished && (
      <BulkResults
        title={titleOf(finished.action)}
        results={finished.lines}
        nameOf={(id) => finished.rows.find((row) => row.id === id)?.account ?? undefined}
        onClose={() => setFinished(undefined)}
      />
    ),
  };
}
