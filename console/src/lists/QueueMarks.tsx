import { queue } from '@hengtai/contract/desk/queue/calls';
import type { QueueMark as Mark } from '@hengtai/contract/desk/queue/schema';
import type { ReviewType } from '@hengtai/contract/desk/queue/work-queue';
import { type ReactNode, createContext, use, useMemo } from 'react';
import { useRead } from '../api/hooks.ts';
import type { Column } from '../ui/table/columns.ts';

const MarksContext = createContext<ReadonlyMap<number, Mark>>(new Map());
const REFETCH_MS = 10_000;
const IDS_MAX = 200;

interface Props {
  type: ReviewType;
  /** Ids of the displayed rows. */
  ids: readonly number[];
  children: ReactNode;
}

/** Loads which rows of a page somebody works on, or what was agreed about them; `QueueMark` shows it. */
export function QueueMarks({ type, ids, children }: Props) {
  const sortedIds = [...new Set(ids)].toSorted((a, b) => a - b).slice(0, IDS_MAX);
  const { data } = useRead(
    queue.marks,
    { targetType: type, ids: sortedIds },
    { enabled: sortedIds.length > 0, refetchMs: REFETCH_MS, keepPrevious: true, staleTime: REFETCH_MS / 2 },
  );
  const marks = useMemo(() => new Map(data?.map((mark) => [mark.targetId, mark])), [data]);
  return <MarksContext value={marks}>{children}</MarksContext>;
}

function QueueMark({ id }: { id: number }) {
  const mark = use(MarksContext).get(id);
  const text = mark && textOf(mark);
  return (
    text !== undefined && (
      <small className="ht-table-second" title={text}>
        {text}
      </small>
    )
  );
}

const OTHER = '其他操作员';

function textOf({ holder, parkedUntil, escalated, assigneeId, assignee }: Mark): string | undefined {
  if (holder) return holder.mine ? '您处理中' : `${holder.operator ?? OTHER} 处理中`;
  if (parkedUntil !== null) return '已搁置';
  if (escalated) return '已上报';
  return assigneeId === null ? undefined : `已转交 ${assignee ?? OTHER}`;
}

/** The columns of a list, with the mark below the state of each row. */
export const withQueueMarks = <Row extends { id: number }>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map((column) =>
    column.key === 'state'
      ? {
          ...column,
          render: (row) => (
            <>
              {column.render(row)}
              <QueueMark id={row.id} />
            </>
          ),
        }
      : column,
  );
