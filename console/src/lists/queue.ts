import { QUEUE_SKIP_MAX } from '@hengtai/contract/wire/input-values';
import { queue as calls } from '@hengtai/contract/desk/queue/calls';
import type { QueueGiven, QueueNext } from '@hengtai/contract/desk/queue/schema';
import { type ReviewQueueKey, reviewQueues } from '@hengtai/contract/desk/queue/work-queue';
import { useEffect, useEffectEvent, useState } from 'react';
import { send } from '../api/client.ts';
import { usePageRoute } from '../navigation/page-route.ts';
import { openClaim, tabOf } from './claims.ts';
import { useOpenId, withOpenId } from './open-id.ts';

interface Options<Row> {
  queueKey: ReviewQueueKey;
  rows: readonly Row[];
  /** Number of undecided rows in the queue. */
  left: number | undefined;
  /** The queue runs on another page, so this one opens nothing by itself. */
  isElsewhere?: boolean;
}

const NO_IDS: readonly number[] = [];
/** Pause before a call for the next record is repeated. */
const RETRY_MS = 3_000;
/** Pause before an empty queue is asked again. */
const EMPTY_MS = 15_000;

/**
 * The record in the drawer, and a queue whose next record the server gives. Both live in the address: `open` is the record,
 * `queue=1` turns the queue on.
 */
export function useQueue<Row extends { id: number }>({ queueKey, rows, left, isElsewhere = false }: Options<Row>) {
  const { key: page, search, setSearch } = usePageRoute();
  const { openId: open, open: show } = useOpenId();
  const queue = search.get('queue') === '1';
  const [skip, setSkip] = useState(NO_IDS);
  /** The record that was just decided or set aside; the next one replaces it. */
  const [leaving, setLeaving] = useState<number>();
  const [following, setFollowing] = useState<number>();
  /** The rows of the list when the server had nothing to give. */
  const [emptyFor, setEmptyFor] = useState<readonly Row[]>();
  const position = rows.findIndex(({ id }) => id === open);
  const isEmpty = emptyFor === rows;
  const needsNext = queue && !isElsewhere && (open === undefined ? !isEmpty : open === leaving);

  useNextRecord(
    needsNext,
    () => ({ queue: queueKey, tab: tabOf(page), skip: [...skip] }),
    ({ id, following: after }) => {
      setFollowing(after ?? undefined);
      setLeaving(undefined);
      if (id === null) setEmptyFor(rows);
      else openClaim(page, { type: reviewQueues[queueKey].type, id }, true);
      setSearch((query) => withOpenId(query, id ?? undefined), { replace: true });
    },
  );

  useEffect(() => {
    if (!emptyFor) return undefined;
    const timer = setInterval(() => setEmptyFor(undefined), EMPTY_MS);
    return () => clearInterval(timer);
  }, [emptyFor]);

  return {
    queue,
    open,
    left: queue ? left : undefined,
    /** The record that probably follows the open one, for loading it ahead. */
    next: following === open ? undefined : following,
    /** The rows next to the open one in the list. */
    above: position > 0 ? rows[position - 1]?.id : undefined,
    below: position >= 0 ? rows[position + 1]?.id : undefined,
    /** The open record is being replaced. */
    isMoving: leaving !== undefined && leaving === open,
    /** The queue has nothing to give. */
    empty: queue && isEmpty && open === undefined,
    show: (id: number) => {
      setLeaving(undefined);
      show(id);
    },
    close: () =>
      setSearch((query) => {
        const closed = withOpenId(query, undefined);
        closed.delete('queue');
        return closed;
      }),
    /** Puts the open record behind the others of the queue; undefined if there are no others. */
    postpone:
      queue && open !== undefined && following !== undefined
        ? () => {
            setSkip((old) => [...old.filter((id) => id !== open), open].slice(-QUEUE_SKIP_MAX));
            setLeaving(open);
          }
        : undefined,
    /** Opens the next undecided record unless the operator opened another one meanwhile. */
    onDecided: (id: number) => {
      if (queue && id === open) setLeaving(id);
    },
  };
}

/** Asks the server for the next record while one is needed, and again if no answer arrives. */
function useNextRecord(isNeeded: boolean, input: () => QueueNext, onGiven: (given: QueueGiven) => void) {
  const inputNow = useEffectEvent(input);
  const show = useEffectEvent(onGiven);
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        const { data } = await send(calls.next, inputNow());
        if (!isOver) show(data);
      } catch {
        // Asked again below.
      }
      // An answer ends the need, unless rows arrive with it that the server has not been asked about.
      if (!isOver) timer = setTimeout(() => void ask(), RETRY_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isNeeded]);
}

export type Queue = ReturnType<typeof useQueue>;
