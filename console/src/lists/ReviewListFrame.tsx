import type { ReviewType } from '@hengtai/contract/desk/queue/work-queue';
import { useMemo } from 'react';
import type { CoinSum } from '../ui/table/list-view.ts';
import { ListFrame, type ListFrameProps } from './ListFrame.tsx';
import { QueueMarks, withQueueMarks } from './QueueMarks.tsx';

interface Props<Row extends { id: number }, Sum, F> extends ListFrameProps<Row, Sum, F> {
  /** Kind of the records in review queues. */
  reviewType: ReviewType;
}

/** Layout of a list of records to review; its rows show who works on them. */
export function ReviewListFrame<Row extends { id: number }, Sum extends CoinSum, F>({
  reviewType,
  columns,
  ...frame
}: Props<Row, Sum, F>) {
  const markedColumns = useMemo(() => withQueueMarks(columns), [columns]);
  return (
    <QueueMarks type={reviewType} ids={frame.list.rows.map(({ id }) => id)}>
      <ListFrame {...frame} columns={markedColumns} />
    </QueueMarks>
  );
}
