import { type ReactNode, useEffect, useState } from 'react';
import { RecordPlaceContext } from '../ui/dialog/record-place.ts';
import type { Queue } from './queue.ts';
import type { ReviewFlow } from './review-flow.tsx';

/** How long the drawer says that the queue is empty before it closes. */
const END_MS = 3_000;

/** Parameters of a dialog for one record. */
export interface DialogRequest<Row, Action> {
  action: Action;
  row: Row;
  onClose: () => void;
  onDone: (row: Row) => void;
}

interface Dialog<Row, Action> {
  action: Action;
  row: Row;
  /** Confirmed inside the open record rather than in a window. */
  isInRecord: boolean;
}

/** The decision that is being confirmed, and what the operator decided last. */
export function useDecision<Row extends { id: number }, Action>(queue: Queue) {
  const [dialog, setDialog] = useState<Dialog<Row, Action>>();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [done, setDone] = useState<ReviewFlow['done']>();
  /** The last decision of the queue, after which the drawer says what comes. */
  const [isLast, setIsLast] = useState(false);
  // A decision belongs to the record that is open: opening another one drops it.
  if (dialog?.isInRecord && dialog.row.id !== queue.open) setDialog(undefined);
  const isEnding = isLast && queue.queue && queue.open === undefined;
  // While rows arrive, the server is asked again before the queue counts as empty.
  const isEmptied = isEnding && queue.empty;
  useEffect(() => {
    if (!isEmptied) return undefined;
    const timer = setTimeout(() => setIsLast(false), END_MS);
    return () => clearTimeout(timer);
  }, [isEmptied]);
  const { left, next, above, below, isMoving, show: onShow, postpone: onPostpone } = queue;
  const end = isEnding ? { isEmpty: queue.empty } : undefined;
  const flow: ReviewFlow = { left, next, above, below, isMoving, end, done, onPlace: setPlace, onShow, onPostpone };

  return {
    flow,
    ask: (action: Action, row: Row, isInRecord = false) => setDialog({ action, row, isInRecord }),
    closeRecord: () => {
      setDone(undefined);
      setIsLast(false);
      queue.close();
    },
    renderDialog: (render: (request: DialogRequest<Row, Action>) => ReactNode) =>
      dialog && (
        <RecordPlaceContext
          value={
            dialog.isInRecord ? { element: place, report: (text) => setDone({ id: dialog.row.id, text }) } : undefined
          }
        >
          {render({
            action: dialog.action,
            row: dialog.row,
            onClose: () => setDialog(undefined),
            onDone: ({ id }) => {
              setDialog(undefined);
              setIsLast(dialog.isInRecord && queue.queue);
              queue.onDecided(id);
            },
          })}
        </RecordPlaceContext>
      ),
  };
}
