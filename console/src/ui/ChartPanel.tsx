import './chart.css';
import { Button } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { MiniTable } from './MiniTable.tsx';
import type { DisplayError } from './display-error.ts';

export interface FigureColumn<Row> {
  title: string;
  right?: true;
  /** The figure with every digit, as it is copied. */
  text: (row: Row) => string;
  /** How it is shown; as its text where this is left out. */
  cell?: (row: Row) => ReactNode;
}

interface Props<Row> {
  title: string;
  /** A quiet line between the title and the picture: the key of the colours, sums. */
  note?: ReactNode;
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string | number;
  columns: readonly FigureColumn<Row>[];
  /** Sums below the table, a cell for each column. */
  foot?: readonly ReactNode[];
  /** Said where there is nothing to draw. */
  empty: string | undefined;
  error: DisplayError | undefined;
  onRetry: () => void;
  children: ReactNode;
}

/** A picture and its table: the same figures twice, once for the eye and once to the last digit. */
export function ChartPanel<Row>({ title, note, rows, error, onRetry, empty, children, ...table }: Props<Row>) {
  const [asTable, setAsTable] = useState(false);
  const name = useId();
  return (
    <section className="ht-panel" aria-labelledby={name} aria-busy={!rows && !error}>
      <header className="ht-panel-head">
        <h2 id={name}>{title}</h2>
        {asTable && rows && <CopyButton text={asTabs(rows, table.columns)} what={`表格：${title}`} />}
        <div className="ht-chart-views" role="group" aria-label={`${title}的显示方式`}>
          <button type="button" aria-pressed={!asTable} onClick={() => setAsTable(false)}>
            图表
          </button>
          <button type="button" aria-pressed={asTable} onClick={() => setAsTable(true)}>
            表格
          </button>
        </div>
      </header>
      <div className="ht-panel-note">{rows && note}</div>
      <PanelState ready={rows !== undefined} error={error} onRetry={onRetry} empty={asTable ? undefined : empty}>
        {asTable ? <Figures label={title} rows={rows ?? []} {...table} /> : children}
      </PanelState>
    </section>
  );
}

interface StateProps {
  /** The figures are known, be they none. */
  ready: boolean;
  error: DisplayError | undefined;
  onRetry: () => void;
  /** Said in place of the content. */
  empty: string | undefined;
  children: ReactNode;
}

/** The body of a panel: a skeleton of the same height, the error, or the content. */
export function PanelState({ ready, error, onRetry, empty, children }: StateProps) {
  return (
    <div className="ht-panel-body">
      {!ready && (error ? <PanelError error={error} onRetry={onRetry} /> : <Skeleton />)}
      {ready && (empty === undefined ? children : <p className="ht-panel-empty">{empty}</p>)}
    </div>
  );
}

const asTabs = <Row,>(rows: readonly Row[], columns: readonly FigureColumn<Row>[]): string =>
  [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))]
    .map((cells) => cells.join('\t'))
    .join('\n');

function Figures<Row>({
  label,
  rows,
  keyOf,
  columns,
  foot,
}: Pick<Props<Row>, 'keyOf' | 'columns' | 'foot'> & { label: string; rows: readonly Row[] }) {
  return (
    <MiniTable
      label={`${label}（表格）`}
      rows={rows}
      keyOf={keyOf}
      columns={columns.map(({ title, right, text, cell }) => ({ title, ...(right && { right }), cell: cell ?? text }))}
      none="暂无数据"
      foot={
        foot && (
          <tr>
            {foot.map((cell, index) => {
              const column = columns[index];
              return (
                <td key={column?.title ?? index} className={column?.right && 'ht-right'}>
                  {cell}
                </td>
              );
            })}
          </tr>
        )
      }
    />
  );
}

function PanelError({ error, onRetry }: { error: DisplayError; onRetry: () => void }) {
  return (
    <div className="ht-panel-empty" role="alert">
      <p>{error.msg}</p>
      {error.requestId && (
        <p className="ht-request">
          请求编号 <code>{error.requestId}</code>
          <CopyButton text={error.requestId} what="请求编号" />
        </p>
      )}
      <Button size="small" onClick={onRetry}>
        重试
      </Button>
    </div>
  );
}

const HEIGHTS = [42, 64, 51, 78, 60, 36, 70, 55, 84, 48, 66, 58];

const Skeleton = () => (
  <div className="ht-panel-skeleton" aria-hidden>
    {HEIGHTS.map((height, index) => (
      // The order of drawn bars never changes.
      // oxlint-disable-next-line react/no-array-index-key
      <i key={index} style={{ height: `${height}%` }} />
    ))}
  </div>
);
