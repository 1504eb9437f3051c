import './ui.css';
import { Button } from 'antd';
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { RowTable, type Scrolled } from './RowTable.tsx';
import { type Shortcut, Shortcuts } from './Shortcuts.tsx';
import { TableFoot } from './TableFoot.tsx';
import { type SumField, TotalsRow } from './TotalsRow.tsx';
import { ROW_HEIGHT, useDensity } from './density.ts';
import { EmptyState, ErrorState } from './list-states.tsx';
import type { CoinSum, ListView } from './list-view.ts';
import type { PageSum } from './page-sums.ts';
import { ActionsContext, RowsContext } from './row-cells.tsx';
import { type RowKeys, useRowCursor } from './row-cursor.ts';
import { useBoxHeight } from './box-height.ts';
import { withWidth } from './columns.ts';
import type { Actions, Slot } from './table-columns.tsx';
import type { Columns } from './use-columns.ts';
import { useStable } from './use-stable.ts';

interface Keyed {
  id: number;
}

export interface ResourceTableProps<Row extends Keyed, Sum> {
  list: ListView<Row, Sum>;
  columns: Columns<Row>;
  /** What the table is called. */
  label: string;
  /** Fields of the totals above. */
  sums?: readonly SumField[];
  /** What the totals count, where a row is not a single record: 天. */
  counted?: string;
  /** What is added up below, over the page. */
  pageSum?: PageSum<Row>;
  /** Stands in the row of totals where the list has none. */
  aside?: ReactNode;
  actions?: Actions<Row>;
  onOpen?: (row: Row) => void;
  openId?: number | undefined;
  /** What can be done with chosen rows; without it no row can be chosen. */
  bulk?: (rows: readonly Row[]) => ReactNode;
  /** The next step when nothing exists yet. */
  next?: ReactNode;
  shortcuts?: readonly Shortcut[];
  /** What further keys do with the row that the cursor stands on. */
  rowKeys?: RowKeys<Row> | undefined;
}

const VIRTUAL_FROM = 100;
const NO_SHORTCUTS: readonly Shortcut[] = [];

/**
 * Scrolls a virtual table just so far that a row is in sight. By the height that all rows have: asked for a row by its
 * place, the kit measures and scrolls again and again, and a key that is held down asks faster than it is done.
 */
function bringIn(table: Scrolled | null, box: HTMLElement | null, top: number, height: number) {
  const holder = box?.querySelector('.ant-table-tbody-virtual-holder');
  if (!holder) return;
  const { scrollTop, clientHeight } = holder;
  if (top < scrollTop) table?.scrollTo({ top });
  else if (top + height > scrollTop + clientHeight) table?.scrollTo({ top: top + height - clientHeight });
}

/** The one table of every list: totals above, rows that never jump, page sums and pages below, all of it by keyboard. */
export function ResourceTable<Row extends Keyed, Sum extends CoinSum>(props: ResourceTableProps<Row, Sum>) {
  const { list, label, bulk, onOpen, openId } = props;
  const [density] = useDensity();
  const [help, setHelp] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const height = useBoxHeight(box);
  const table = useRef<Scrolled>(null);
  const cursor = useRowCursor({
    rows: list.rows,
    openId,
    onOpen,
    onToggle: bulk && ((row: Row) => list.select([row], !list.selected.has(row.id))),
    onHelp: () => setHelp(true),
    rowKeys: props.rowKeys,
    box,
    reveal: (index) => bringIn(table.current, box.current, index * ROW_HEIGHT[density], ROW_HEIGHT[density]),
  });

  const rowHeight = ROW_HEIGHT[density];
  const body = Math.max(rowHeight * 3, height - rowHeight - 1);
  const pending = list.pending && !list.error;
  const error = list.rows.length === 0 && !list.changing ? list.error : undefined;
  const skeleton = useSkeleton(pending ? Math.min(list.size, Math.ceil(body / rowHeight)) : 0);
  const onPage = useStable(list.setPage);
  // What stands around the table is drawn before it.
  const begun = useDeferredValue(true, false);

  return (
    <section className="ht-list" data-density={density} aria-label={label}>
      {(bulk || props.sums || props.aside) && <Strip {...props} pending={pending} />}
      <div
        className="ht-table"
        ref={box}
        data-changing={list.changing}
        data-virtual={list.rows.length > VIRTUAL_FROM}
        aria-busy={list.fetching}
      >
        {list.waiting > 0 && (
          <button type="button" className="ht-waiting" onClick={list.showWaiting}>
            有 {list.waiting.toLocaleString('en-US')} 条新记录
          </button>
        )}
        {error && <ErrorState error={error} onRetry={list.refresh} />}
        {begun && !error && (
          <Rows
            {...props}
            skeleton={skeleton}
            body={body}
            tableRef={table}
            onRow={cursor.setCurrent}
            onScroll={cursor.remark}
          />
        )}
      </div>
      <TableFoot
        rows={list.rows}
        pageSum={props.pageSum}
        page={list.page}
        size={list.size}
        total={list.total}
        onPage={onPage}
      />
      <Shortcuts
        open={help}
        chooses={bulk !== undefined}
        more={props.shortcuts ?? NO_SHORTCUTS}
        onClose={() => setHelp(false)}
      />
    </section>
  );
}

/**
 * How many rows of grey bars stand there while nothing is known. They stay until the first rows are drawn, which is done in
 * slices between two frames.
 */
function useSkeleton(skeleton: number): number {
  const before = useDeferredValue(skeleton);
  return skeleton || before;
}

/** Totals; while rows are chosen, what can be done with them stands in the same place, so that nothing moves. */
function Strip<Row extends Keyed, Sum extends CoinSum>(props: ResourceTableProps<Row, Sum> & { pending: boolean }) {
  const { list, bulk, sums, counted, aside, pending } = props;
  if (bulk && list.selected.size > 0) {
    return (
      <div className="ht-strip">
        <div className="ht-bulk" role="group" aria-label="批量操作">
          <b>已选 {list.selected.size} 条</b>
          {bulk([...list.selected.values()])}
          <Button type="link" onClick={list.clearSelection}>
            清除选择
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="ht-strip">
      {sums ? (
        <TotalsRow summary={list.summary} fields={sums} pending={pending} counted={counted} />
      ) : (
        (aside ?? <span className="ht-faint">勾选多行后可批量操作</span>)
      )}
    </div>
  );
}

interface RowsProps<Row extends Keyed, Sum> extends ResourceTableProps<Row, Sum> {
  /** So many rows of grey bars instead of rows. */
  skeleton: number;
  body: number;
  tableRef: React.Ref<Scrolled>;
  onRow: (id: number) => void;
  onScroll: () => void;
}

const NO_SLOTS: readonly Slot[] = [];

/** The same value for as long as its text is the same. */
const idsOf = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

/** Parts what stands where (the table's business) from what is in the rows (the cells' own). */
function Rows<Row extends Keyed, Sum>(props: RowsProps<Row, Sum>) {
  const { list, columns, actions, bulk, skeleton, onOpen } = props;
  const { placed, choice, setChoice } = columns;
  const byId = useMemo(() => new Map(list.rows.map((row) => [row.id, row])), [list.rows]);
  const order = [...byId.keys()].join(',');
  // Other values for the rows that stand there may come in slices, between two frames; other rows come at once.
  const before = useDeferredValue(byId);
  const values = before !== byId && [...before.keys()].join(',') === order ? before : byId;
  const slots = useMemo(() => idsOf(order).map((id): Slot => ({ id })), [order]);
  const chosen = [...list.selected.keys()].join(',');
  const chosenIds = useMemo(() => idsOf(chosen), [chosen]);

  const onWidth = useStable((key: string, width: number | undefined) => setChoice(withWidth(choice, key, width)));
  const onSort = useStable(list.setSort);
  const onChoose = useStable((ids: readonly number[], on: boolean) =>
    list.select(
      ids.flatMap((id) => byId.get(id) ?? []),
      on,
    ),
  );
  const open = useStable((id: number) => {
    const row = byId.get(id);
    if (row) onOpen?.(row);
  });
  const onScroll = useStable(props.onScroll);

  return (
    <RowsContext value={values}>
      <ActionsContext value={actions}>
        <RowTable
          label={props.label}
          slots={skeleton ? NO_SLOTS : slots}
          placed={placed}
          actionsWidth={actions?.width}
          sort={list.sort}
          sortable={list.sortable}
          chosen={bulk && chosenIds}
          skeleton={skeleton}
          empty={
            slots.length === 0 &&
            skeleton === 0 && (
              <EmptyState
                filtered={list.filtered}
                beyond={(list.total ?? 0) > 0}
                onReset={list.reset}
                onFirst={() => list.setPage(1, list.size)}
                next={props.next}
              />
            )
          }
          virtual={list.rows.length > VIRTUAL_FROM}
          height={props.body}
          tableRef={props.tableRef}
          onWidth={onWidth}
          onSort={onSort}
          onChoose={onChoose}
          onRow={props.onRow}
          onOpen={open}
          onScroll={onScroll}
        />
      </ActionsContext>
    </RowsContext>
  );
}
