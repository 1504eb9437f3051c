import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import type { List } from '../api/list.ts';
import { useQueue } from '../api/queue.ts';
import type { BulkLine } from '../ui/BulkResults.tsx';
import type { Options } from '../ui/FilterBar.tsx';
import { GreyedAction } from '../ui/GreyedAction.tsx';
import type { Column } from '../ui/columns.ts';
import type { DeedWords } from '../ui/deeds.ts';
import type { CoinSum } from '../ui/list-view.ts';
import type { PageSum } from '../ui/page-sums.ts';
import { ListFrame } from './ListFrame.tsx';
import { useMany } from './use-many.tsx';
import { WaitingMarks } from './WaitingMark.tsx';

const KEYS = {
  pass: { keys: ['A'], what: '通过（详情打开时）' },
  reject: { keys: ['R'], what: '驳回（详情打开时）' },
  reasons: { keys: ['1…9'], what: '选择常用原因（对话框中）' },
  confirm: { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
};

interface ReviewRow {
  id: number;
  account: string;
  state: number;
}

/** What a dialog is about, and what follows it. */
interface Asked<Row, Deed> {
  action: Deed;
  row: Row;
  onClose: () => void;
  onDone: (row: Row) => void;
}

interface AskedOfMany<Row, Deed> {
  action: Deed;
  rows: readonly Row[];
  onClose: () => void;
  onDone: (lines: readonly BulkLine[]) => void;
}

/** The record in the drawer. */
export interface Opened<Row, Deed> {
  id: number | undefined;
  able: boolean;
  left: number | undefined;
  onAct: (action: Deed, row: Row) => void;
  onClose: () => void;
}

interface Props<Row extends ReviewRow, Sum, F, Deed extends string, Many extends Deed> {
  title: string;
  next: string;
  list: List<Row, Sum, F>;
  columns: readonly Column<Row>[];
  options?: Readonly<Record<string, Options | undefined>>;
  sums?: readonly { field: keyof Sum & string; label: string }[];
  pageSum?: PageSum<Row>;
  /** Whose approvals are marked on the rows; absent where nothing goes to a second person. */
  targetType?: string;
  /** The state in which a row waits, and whether the queue has to ask for it. */
  waiting: number;
  asks?: boolean;
  able: boolean;
  noAbility: string;
  words: Readonly<Record<Deed, DeedWords>>;
  many: readonly Many[];
  whyNot: (action: Deed, row: Row, able: boolean) => string | undefined;
  moreKeys?: readonly { keys: string[]; what: string }[];
  /** Behind 通过 and 驳回 of a row. */
  renderLater?: (row: Row, onAct: (action: Deed) => void) => ReactNode;
  renderReader: (opened: Opened<Row, Deed>) => ReactNode;
  renderDialog: (asked: Asked<Row, Deed>) => ReactNode;
  renderManyDialog: (asked: AskedOfMany<Row, Many>) => ReactNode;
}

/** A list of what waits to be decided: its rows, one record with all that is needed, and the queue through them. */
export function ReviewPage<Row extends ReviewRow, Sum extends CoinSum, F, Deed extends string, Many extends Deed>({
  list,
  targetType,
  waiting,
  asks = true,
  able,
  noAbility,
  words,
  many,
  whyNot,
  moreKeys = [],
  renderLater,
  renderReader,
  renderDialog,
  renderManyDialog,
  ...frame
}: Props<Row, Sum, F, Deed, Many>) {
  const queue = useQueue({
    rows: list.rows,
    waits: ({ state }) => state === waiting,
    settled: !list.pending && !list.changing,
    left: list.total,
  });
  const [deed, setDeed] = useState<{ action: Deed; row: Row }>();
  const chosen = useMany<Row, Many>(list, (action) => `批量${words[action].verb}`);
  const why = able ? undefined : noAbility;

  const startQueue = () => {
    const { filters, from, to } = list.state;
    list.choose(
      { filters: asks ? { ...filters, state: waiting } : filters, from, to, sort: 'createdAt' },
      { queue: '1', open: undefined },
    );
  };

  const page = (
    <ListFrame
      {...frame}
      list={list}
      note={queue.queue && (queue.empty ? '审核队列已清空' : `审核队列 · 剩余 ${queue.left ?? '--'} 条`)}
      tools={
        queue.queue ? (
          <Button onClick={queue.close}>退出队列</Button>
        ) : (
          <GreyedAction look="button" why={why} onClick={startQueue}>
            审核队列
          </GreyedAction>
        )
      }
      openId={queue.open}
      onOpen={(row) => queue.show(row.id)}
      shortcuts={[KEYS.pass, KEYS.reject, ...moreKeys, KEYS.reasons, KEYS.confirm]}
      actions={{
        width: renderLater ? 196 : 160,
        render: (row) => (
          <>
            <GreyedAction why={undefined} onClick={() => queue.show(row.id)}>
              详情
            </GreyedAction>
            {many.map((action) => (
              <GreyedAction
                key={action}
                danger={words[action].danger}
                why={whyNot(action, row, able)}
                onClick={() => setDeed({ action, row })}
              >
                {words[action].short}
              </GreyedAction>
            ))}
            {renderLater?.(row, (action) => setDeed({ action, row }))}
          </>
        ),
      }}
      bulk={(rows) =>
        many.map((action) => (
          <GreyedAction
            key={action}
            look="button"
            danger={words[action].danger}
            why={why}
            onClick={() => chosen.ask(action, rows)}
          >
            批量{words[action].short}
          </GreyedAction>
        ))
      }
    >
      {renderReader({
        id: queue.open,
        able,
        left: queue.left,
        onAct: (action, row) => setDeed({ action, row }),
        onClose: queue.close,
      })}
      {deed &&
        renderDialog({
          ...deed,
          onClose: () => setDeed(undefined),
          onDone: ({ id }) => {
            setDeed(undefined);
            queue.decided(id);
          },
        })}
      {chosen.asked &&
        renderManyDialog({
          action: chosen.asked.deed,
          rows: chosen.asked.rows,
          onClose: chosen.onClose,
          onDone: chosen.onDone,
        })}
      {chosen.results}
    </ListFrame>
  );
  if (!targetType) return page;
  return (
    <WaitingMarks targetType={targetType} ids={[...list.rows.map(({ id }) => id), queue.open]}>
      {page}
    </WaitingMarks>
  );
}
