import { useState } from 'react';
import { userAccount } from '../navigation/account-cells.tsx';
import { type BulkLine, BulkResults } from '../ui/dialog/BulkResults.tsx';

interface BulkRequest<Row, Action> {
  action: Action;
  rows: readonly Row[];
}

interface AccountRow {
  id: number;
  account: string | null;
  /** Missing if the row is a user. */
  userId?: number | null;
}

const accountOf = (row: AccountRow | undefined) =>
  row && userAccount(row.account, row.userId === undefined ? row.id : row.userId);

interface Selectable<Row> {
  select: (rows: readonly Row[], on: boolean) => void;
}

/** State of a bulk action on selected rows: the request, and then the results. */
export function useBulkAction<Row extends AccountRow, Action>(
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
        nameOf={(id) => accountOf(finished.rows.find((row) => row.id === id))}
        onClose={() => setFinished(undefined)}
      />
    ),
  };
}
