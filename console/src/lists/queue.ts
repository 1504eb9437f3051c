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
  /** The queue runs on another page, so this one opens nothing by itself. */
  isElsewhere?: boolean;
}

const NOBODY: ReadonlySet<number> = new Set();

/**
 * The record in the drawer, and a queue that opens the next undecided record by itself. Both live in the address:
 * `open` is the record, `queue=1` turns the queue on.
 */
export function useQueue<Row extends { id: number }>({
  rows,
  isWaiting,
  isSettled,
  left,
  isElsewhere = false,
}: Options<Row>) {
  const { search, setSearch } = usePageRoute();
  const { openId: open, open: show } = useOpenId();
  const queue = search.get('queue') === '1';
  const [handled, setHandled] = useState(NOBODY);
  const [postponed, setPostponed] = useState(NOBODY);
  const waiting = queue ? rows.filter((row) => isWaiting(row) && !handled.has(row.id)) : [];
  const nextId = (waiting.find(({ id }) => !postponed.has(id)) ?? waiting[0])?.id;
  const position = rows.findIndex(({ id }) => id === open);

  /** The next undecided record, in list order, then from the top, and the postponed ones last. */
  const nextAfter = (id: number): number | undefined => {
    const others = waiting.filter((row) => row.id !== id);
    const below = new Set(rows.slice(rows.findIndex((row) => row.id === id) + 1));
    const fresh = others.filter((row) => !postponed.has(row.id));
    return (fresh.find((row) => below.has(row)) ?? fresh[0] ?? others.find((row) => below.has(row)) ?? others[0])?.id;
  };
  const next = open === undefined ? undefined : nextAfter(open);

  useEffect(() => {
    if (queue && !isElsewhere && open === undefined && isSettled && nextId !== undefined) {
      setSearch((query) => withOpenId(query, nextId), { replace: true });
    }
  }, [queue, isElsewhere, open, isSettled, nextId, setSearch]);

  return {
    queue,
    open,
    left: queue ? left : undefined,
    /** The record that follows the open one, for loading it ahead. */
    next,
    /** The rows next to the open one in the list. */
    above: position > 0 ? rows[position - 1]?.id : undefined,
    below: position >= 0 ? rows[position + 1]?.id : undefined,
    /** The queue is finished. */
    empty: queue && isSettled && nextId === undefined && open === undefined,
    show,
    close: () =>
      setSearch((query) => {
        const closed = withOpenId(query, undefined);
        closed.delete('queue');
        return closed;
      }),
    /** Puts the open record behind the others of the queue; undefined if there are no others. */
    postpone:
      queue && open !== undefined && next !== undefined
        ? () => {
            setPostponed((old) => new Set(old).add(open));
            setSearch((query) => withOpenId(query, next), { replace: true });
          }
        : undefined,
    /** Opens the next undecided record unless the operator opened another one meanwhile. */
    onDecided: (id: number) => {
      if (!queue) return;
      setHandled((old) => new Set(old).add(id));
      setSearch((query) => (query.get('open') === String(id) ? withOpenId(query, nextAfter(id)) : query), {
        replace: true,
      });
    },
  };
}
