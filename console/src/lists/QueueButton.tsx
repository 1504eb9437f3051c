import type { ReviewQueueKey } from '@hengtai/contract/desk/queue/work-queue';
import { Button } from 'antd';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { useKeys } from '../ui/browser/keys.ts';
import type { List } from './list.ts';
import { type Queue, useQueue } from './queue.ts';

interface Props {
  queue: Queue;
  name: string;
  disabledReason: string | undefined;
  onStart: () => void;
  onStop: () => void;
}

/** Starts and ends the queue of a list; Q does the same. */
export function QueueButton({ queue, name, disabledReason, onStart, onStop }: Props) {
  return queue.queue ? (
    <Button onClick={onStop}>退出队列</Button>
  ) : (
    <GreyedAction look="button" disabledReason={disabledReason} onClick={onStart}>
      {name}
    </GreyedAction>
  );
}

/** What the heading of a list says about its queue. */
export const queueNote = (name: string, { queue, empty, left }: Queue) =>
  queue && (empty ? `${name}已清空` : `${name} · 剩余 ${left ?? '--'} 条`);

/** The queue through a list whose records open in a plain drawer. */
export function useDrawerQueue<Row extends { id: number }, Sum, F>(
  list: List<Row, Sum, F>,
  {
    queueKey,
    waiting,
    disabledReason,
  }: { queueKey: ReviewQueueKey; waiting: number; disabledReason: string | undefined },
) {
  const queue = useQueue({ queueKey, rows: list.rows, left: list.total });
  const start = () => list.choose({ filters: { state: waiting }, sort: 'createdAt' }, { queue: '1', open: undefined });
  useKeys({ q: () => (queue.queue ? queue.close() : start()) }, disabledReason === undefined);
  return {
    ...queue,
    note: queueNote(QUEUE_NAME, queue),
    button: (
      <QueueButton
        queue={queue}
        name={QUEUE_NAME}
        disabledReason={disabledReason}
        onStart={start}
        onStop={queue.close}
      />
    ),
  };
}

export const QUEUE_NAME = '审核队列';
