import { useEffect, useState } from 'react';
import { usePageRoute } from '../shell/page-route.ts';
import { useOpenId, withOpen } from './open-id.ts';

interface Options<Row> {
  rows: readonly Row[];
  /** Whether a row has still to be decided by this operator. */
  waits: (row: Row) => boolean;
  /** The rows are those of what is asked for now. */
  settled: boolean;
  left: number | undefined;
}

/**
 * The record in the drawer, and the queue that puts the next one there by itself. Both live in the address: `open` is a
 * link to a record, `queue=1` goes through what waits, oldest first.
 */
export function useQueue<Row extends { id: number }>({ rows, waits, settled, left }: Options<Row>) {
  const { search, setSearch } = usePageRoute();
  const { openId: open, open: show } = useOpenId();
  const queue = search.get('queue') === '1';
  const [handled, setHandled] = useState<ReadonlySet<number>>(new Set());
  const waiting = queue ? rows.filter((row) => waits(row) && !handled.has(row.id)) : [];
  const first = waiting[0]?.id;

  useEffect(() => {
    if (queue && open === undefined && settled && first !== undefined) {
      setSearch((now) => withOpen(now, first), { replace: true });
    }
  }, [queue, open, settled, first, setSearch]);

  return {
    queue,
    open,
    left: queue ? left : undefined,
    /** Everything that waited has been gone through. */
    empty: queue && settled && first === undefined && open === undefined,
    show,
    close: () =>
      setSearch((now) => {
        const next = withOpen(now, undefined);
        next.delete('queue');
        return next;
      }),
    /** The record was decided: the next one that waits, in the order of the list. */
    decided: (id: number) => {
      if (!queue) return;
      setHandled((old) => new Set(old).add(id));
      const from = rows.findIndex((row) => row.id === id);
      const later = rows.slice(from + 1).find((row) => waiting.includes(row));
      const next = later ?? waiting.find((row) => row.id !== id);
      setSearch((now) => withOpen(now, next?.id), { replace: true });
    },
  };
}
