import { useEffect, useState } from 'react';
import { usePageRoute } from '../navigation/page-route.ts';
import { useOpenId, withOpenId } from './open-id.ts';

interface Options<Row> {
  rows: readonly Row[];
  /** Whether the operator still has to decide the row. */
  isWaiting: (row: Row) => boolean;
  /** The rows belong to the current input. */
  isSettled: boolean;
  /** Number of undecided rows in the queue. */
  left: number | undefined;
}

/**
 * The record in the drawer, and a queue that opens the next undecided record by itself. Both live in the address:
 * `open` is the record, `queue=1` turns the queue on.
 */
export function useQueue<Row extends { id: number }>({ rows, isWaiting, isSettled, left }: Options<Row>) {
  const { search, setSearch } = usePageRoute();
  const { openId: open, open: show } = useOpenId();
  const queue = search.get('queue') === '1';
  const [handled, setHandled] = useState<ReadonlySet<number>>(new Set());
  const waiting = queue ? rows.filter((row) => isWaiting(row) && !handled.has(row.id)) : [];
  const nextId = waiting[0]?.id;

  const nextAfter = (id: number): number | undefined => {
    const position = rows.findIndex((row) => row.id === id);
    const nextBelow = rows.slice(position + 1).find((row) => waiting.includes(row));
    return (nextBelow ?? waiting.find((row) => row.id !== id))?.id;
  };

  useEffect(() => {
    if (queue && open === undefined && isSettled && nextId !== undefined) {
      setSearch((query) => withOpenId(query, nextId), { replace: true });
    }
  }, [queue, open, isSettled, nextId, setSearch]);

  return {
    queue,
    open,
    left: queue ? left : undefined,
    /** The record that follows the open one, for loading it ahead. */
    next: open === undefined ? undefined : nextAfter(open),
    /** The queue is finished. */
    empty: queue && isSettled && nextId === undefined && open === undefined,
    show,
    close: () =>
      setSearch((query) => {
        const next = withOpenId(query, undefined);
        next.delete('queue');
        return next;
      }),
    /** Opens the next undecided record, in list order, then from the top. */
    onDecided: (id: number) => {
      if (!queue) return;
      setHandled((old) => new Set(old).add(id));
      setSearch((query) => withOpenId(query, nextAfter(id)), { replace: true });
    },
  };
}
