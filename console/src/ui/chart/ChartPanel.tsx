import '../page/section.css';
import './chart-panel.css';
import { Button } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { CopyButton } from '../value/CopyButton.tsx';
import { MiniTable } from '../table/MiniTable.tsx';
import { type DisplayError, loadErrorTitle } from '../value/display-error.ts';

export interface FigureColumn<Row> {
  title: string;
  right?: true;
  /** The figure with all digits, as copied. */
  text: (row: Row) => string;
  /** How it is displayed; defaults to the text. */
  cell?: (row: Row) => ReactNode;
}

interface Props<Row> {
  title: string;
  /** Secondary line below the title: legend, sums. */
  note?: ReactNode;
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string | number;
  columns: readonly FigureColumn<Row>[];
  /** Footer cells with sums, one per column. */
  foot?: readonly ReactNode[];
  /** Shown if there is no data to draw. */
  empty: string | undefined;
  error: DisplayError | undefined;
  onRetry: () => void;
  children: ReactNode;
}

/** A chart and a table of the same figures with all digits. */
export function ChartPanel<Row>({ title, note, rows, error, onRetry, empty, children, ...table }: Props<Row>) {
  const [isTable, setIsTable] = useState(false);
  const name = useId();
  return (
    <section className="ht-chart-panel" aria-labelledby={name} aria-busy={!rows && !error}>
      <header className="ht-chart-panel-head">
        <h2 id={name}>{title}</h2>
        {isTable && rows && <CopyButton text={toTabSeparated(rows, table.columns)} label={`表格：${title}`} />}
        <div className="ht-chart-views" role="group" aria-label={`${title}的显示方式`}>
          <button type="button" aria-pressed={!isTable} onClick={() => setIsTable(false)}>
            图表
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => setIsTable(true)}>
            表格
          </button>
        </div>
      </header>
      <div className="ht-chart-panel-note">{rows && note}</div>
      <PanelState
        ready={rows !== undefined}
        error={error}
        onRetry={onRetry}
        empty={isTable || empty === undefined ? undefined : <EmptyChart>{empty}</EmptyChart>}
      >
        {isTable ? <Figures label={title} rows={rows ?? []} {...table} /> : children}
      </PanelState>
    </section>
  );
}

interface StateProps {
  /** The data is loaded, possibly empty. */
  ready: boolean;
  error: DisplayError | undefined;
  onRetry: () => void;
  /** Shown instead of the content. */
  empty: ReactNode;
  children: ReactNode;
}

/** Axes without a line, in the style of the other empty states, and why there is nothing to draw. */
const EmptyChart = ({ children }: { children: ReactNode }) => (
  <>
    <svg viewBox="0 0 96 44" width="96" height="44" aria-hidden>
      <path d="M12 3v33h76M24 30h0M38 30h0M52 30h0M66 30h0M80 30h0" />
    </svg>
    <p>{children}</p>
  </>
);

/** Body of a panel: a skeleton of the same height, the error, or the content. */
export function PanelState({ ready, error, onRetry, empty, children }: StateProps) {
  return (
    <div className="ht-chart-panel-body">
      {!ready && (error ? <PanelError error={error} onRetry={onRetry} /> : <Skeleton />)}
      {ready && (empty === undefined ? children : <div className="ht-page-empty">{empty}</div>)}
    </div>
  );
}

const toTabSeparated = <Row,>(rows: readonly Row[], columns: readonly FigureColumn<Row>[]): string =>
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
      empty="暂无数据"
      foot={
        foot && (
          <tr>
            {foot.map((cell, index) => {
              const column = columns[index];
              return (
                <td key={column?.title ?? index} className={column?.right && 'ht-table-right'}>
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
    <div className="ht-page-empty" role="alert">
      <p>
        {loadErrorTitle(error)}：{error.msg}
      </p>
      {error.requestId && (
        <p className="ht-value-request">
          请求编号 <code>{error.requestId}</code>
          <CopyButton text={error.requestId} label="请求编号" />
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
  <div className="ht-chart-panel-skeleton" aria-hidden>
    {HEIGHTS.map((height, index) => (
      // The skeleton bars are static.
      // oxlint-disable-next-line react/no-array-index-key
      <i key={index} style={{ height: `${height}%` }} />
    ))}
  </div>
);
