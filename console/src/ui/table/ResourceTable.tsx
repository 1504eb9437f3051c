import './resource-table.css';
import { Button } from 'antd';
import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { RowTable, type ScrollHandle } from './RowTable.tsx';
import { TableFoot } from './TableFoot.tsx';
import type { SumField } from './CoinTotals.tsx';
import { TotalsRow } from './TotalsRow.tsx';
import { HEAD_HEIGHT, ROW_HEIGHT, useDensity } from './density.ts';
import { EmptyState, type EmptyWords, ErrorState } from './list-states.tsx';
import type { CoinSum, ListView } from './list-view.ts';
import type { PageSums } from './page-sums.ts';
import { type Actions, ActionsContext, RowsContext } from './row-cells.tsx';
import { LIST_SHORTCUTS, SELECT_SHORTCUT, type Shortcut, usePageShortcuts } from './page-shortcuts.ts';
import { type RowKeys, useRowCursor } from './row-cursor.ts';
import { useBoxHeight } from './box-height.ts';
import { withWidth } from './columns.ts';
import type { RowId } from './table-columns.tsx';
import { FirstFrame, useIsPainted, useSkeleton } from './table-skeleton.tsx';
import type { Columns } from './use-columns.ts';
import { useStable } from '../browser/use-stable.ts';

interface Keyed {
  id: number;
}

export interface ResourceTableProps<Row extends Keyed, Sum> {
  list: ListView<Row, Sum>;
  columns: Columns<Row>;
  /** Accessible name of the table. */
  label: string;
  /** Sum fields of the totals row. */
  sums?: readonly SumField[];
  /** Unit of the counts in the totals row if a row is no single record, for example 天. */
  countUnit?: string;
  /** What the lines of the totals are, with its counter; coins by default. */
  lineUnit?: string;
  /** Name of a first line that adds up all others, if their amounts are of one coin. */
  totalLabel?: string;
  /** How the rows of the page are summed, shown below the table with the fields of `sums`. */
  pageSums?: PageSums<Row>;
  /** Shown in the totals row if the list has no totals. */
  aside?: ReactNode;
  actions?: Actions<Row>;
  onOpen?: (row: Row) => void;
  openId?: number | undefined;
  /** Bulk actions of the selected rows; without it rows cannot be selected. */
  bulk?: (rows: readonly Row[]) => ReactNode;
  /** Shown when the list has no records at all. */
  emptyHint?: ReactNode;
  /** Shown instead if there are no rows; undefined while the filters alone are the reason. */
  emptyWords?: EmptyWords | undefined;
  shortcuts?: readonly Shortcut[];
  /** Additional shortcuts that act on the row at the cursor. */
  rowKeys?: RowKeys<Row> | undefined;
}

const VIRTUAL_FROM = 100;
const ROWS_MIN = 3;
const NO_SHORTCUTS: readonly Shortcut[] = [];

/**
 * Scrolls a virtual table just far enough to show a row. Uses the fixed row height: scrolling to a row index makes the
 * kit measure repeatedly, which is too slow while a key is held down.
 */
function scrollToRow(table: ScrollHandle | null, box: HTMLElement | null, top: number, height: number) {
  const holder = box?.querySelector('.ant-table-tbody-virtual-holder');
  if (!holder) return;
  const { scrollTop, clientHeight } = holder;
  if (top < scrollTop) table?.scrollTo({ top });
  else if (top + height > scrollTop + clientHeight) table?.scrollTo({ top: top + height - clientHeight });
}

/**
 * The table of every list: totals above, rows that do not jump, page sums and pagination below, all usable by keyboard.
 */
export function ResourceTable<Row extends Keyed, Sum extends CoinSum>(props: ResourceTableProps<Row, Sum>) {
  const { list, label, bulk, onOpen, openId } = props;
  const [density] = useDensity();
  const box = useRef<HTMLDivElement>(null);
  const height = useBoxHeight(box);
  const table = useRef<ScrollHandle>(null);
  const cursor = useRowCursor({
    rows: list.rows,
    openId,
    onOpen,
    onToggle: bulk && ((row: Row) => list.select([row], !list.selected.has(row.id))),
    rowKeys: props.rowKeys,
    box,
    reveal: (index) => scrollToRow(table.current, box.current, index * ROW_HEIGHT[density], ROW_HEIGHT[density]),
  });

  const rowHeight = ROW_HEIGHT[density];
  // Whole rows only, so that none is cut at the foot.
  const body = Math.max(ROWS_MIN, Math.floor((height - HEAD_HEIGHT - 1) / rowHeight)) * rowHeight;
  const pending = list.pending && !list.error;
  const error = list.rows.length === 0 && !list.changing ? list.error : undefined;
  const skeleton = useSkeleton(pending ? Math.min(list.size, Math.ceil(body / rowHeight)) : 0);
  const onPage = useStable(list.setPage);
  const isTableDue = useIsPainted();
  const { shortcuts = NO_SHORTCUTS } = props;
  const isSelectable = bulk !== undefined;
  usePageShortcuts(
    useMemo(
      () => [...LIST_SHORTCUTS, ...(isSelectable ? [SELECT_SHORTCUT] : []), ...shortcuts],
      [isSelectable, shortcuts],
    ),
  );

  return (
    <section className="ht-table-list" data-density={density} aria-label={label}>
      {(bulk || props.sums || props.aside || list.waiting > 0) && <TotalsStrip {...props} pending={pending} />}
      <div
        className="ht-table"
        ref={box}
        data-changing={list.changing}
        data-virtual={list.rows.length > VIRTUAL_FROM}
        aria-busy={list.fetching}
      >
        {error && <ErrorState error={error} onRetry={list.refresh} />}
        {!isTableDue && !error && (
          <FirstFrame
            columns={props.columns}
            actionsWidth={props.actions?.width}
            isSelectable={isSelectable}
            rows={Math.min(list.size, Math.ceil(body / rowHeight))}
          />
        )}
        {isTableDue && !error && (
          <Rows
            {...props}
            skeleton={skeleton}
            body={body}
            tableRef={table}
            onRow={cursor.setCurrent}
            onScroll={cursor.restoreMark}
          />
        )}
      </div>
      <TableFoot
        rows={list.rows}
        fields={props.sums}
        pageSums={props.pageSums}
        counted={props.countUnit}
        grouped={props.lineUnit}
        page={list.page}
        size={list.size}
        autoSize={list.autoSize}
        total={list.total}
        onPage={onPage}
      />
    </section>
  );
}

/** Totals row; while rows are selected it shows the bulk actions in the same place, so that nothing moves. */
function TotalsStrip<Row extends Keyed, Sum extends CoinSum>(
  props: ResourceTableProps<Row, Sum> & { pending: boolean },
) {
  const { list, bulk, sums, aside, pending } = props;
  if (bulk && list.selected.size > 0) {
    return (
      <div className="ht-table-strip">
        <div className="ht-table-bulk" role="group" aria-label="批量操作">
          <b>已选 {list.selected.size} 条</b>
          {bulk([...list.selected.values()])}
          <Button type="link" onClick={list.clearSelection}>
            清除选择
          </Button>
        </div>
        <WaitingNotice {...list} />
      </div>
    );
  }
  return (
    <div className="ht-table-strip">
      {sums ? (
        <TotalsRow
          summary={list.summary}
          fields={sums}
          pending={pending}
          countUnit={props.countUnit}
          lineUnit={props.lineUnit}
          totalLabel={props.totalLabel}
        />
      ) : (
        (aside ?? <span className="ht-value-faint">{bulk && '勾选多行后可批量操作'}</span>)
      )}
      <WaitingNotice {...list} />
    </div>
  );
}

/** The number of new rows that are not shown yet; beside the totals, so that it covers no row. */
function WaitingNotice({ waiting, showWaiting }: Pick<ListView<unknown>, 'waiting' | 'showWaiting'>) {
  if (waiting === 0) return null;
  return (
    <button type="button" className="ht-table-waiting" onClick={showWaiting}>
      有 {waiting.toLocaleString('en-US')} 条新记录
    </button>
  );
}

interface RowsProps<Row extends Keyed, Sum> extends ResourceTableProps<Row, Sum> {
  /** Number of skeleton rows to show instead of rows. */
  skeleton: number;
  body: number;
  tableRef: React.Ref<ScrollHandle>;
  onRow: (id: number) => void;
  onScroll: () => void;
}

const NO_ROW_IDS: readonly RowId[] = [];

/** Parses a comma-separated list of ids. */
const idsOf = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

/**
 * Passes only row ids to the table. Cells read their rows from `RowsContext`, so one changed row re-renders one row.
 */
function Rows<Row extends Keyed, Sum>(props: RowsProps<Row, Sum>) {
  const { list, columns, actions, bulk, skeleton, onOpen } = props;
  const { placed, choice, setChoice } = columns;
  const byId = useMemo(() => new Map(list.rows.map((row) => [row.id, row])), [list.rows]);
  const order = [...byId.keys()].join(',');
  // New values for the same rows may render deferred; a new set of rows renders at once.
  const deferred = useDeferredValue(byId);
  const values = deferred !== byId && [...deferred.keys()].join(',') === order ? deferred : byId;
  const rowIds = useMemo(() => idsOf(order).map((id): RowId => ({ id })), [order]);
  const selectedText = [...list.selected.keys()].join(',');
  const selectedIds = useMemo(() => idsOf(selectedText), [selectedText]);

  const onWidth = useStable((key: string, width: number | undefined) => setChoice(withWidth(choice, key, width)));
  const onSort = useStable(list.setSort);
  const onSelect = useStable((ids: readonly number[], isSelected: boolean) =>
    list.select(
      ids.flatMap((id) => byId.get(id) ?? []),
      isSelected,
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
          rowIds={skeleton ? NO_ROW_IDS : rowIds}
          placed={placed}
          actionsWidth={actions?.width}
          sort={list.sort}
          sortable={list.sortable}
          selected={bulk && selectedIds}
          skeleton={skeleton}
          empty={
            rowIds.length === 0 &&
            skeleton === 0 && (
              <EmptyState
                words={props.emptyWords}
                isFiltered={list.filtered}
                isBeyondLastPage={(list.total ?? 0) > 0}
                onReset={list.reset}
                onFirst={() => list.setPage(1, list.size)}
                emptyHint={props.emptyHint}
              />
            )
          }
          virtual={list.rows.length > VIRTUAL_FROM}
          height={props.body}
          tableRef={props.tableRef}
          onWidth={onWidth}
          onSort={onSort}
          onSelect={onSelect}
          onRow={props.onRow}
          onOpen={open}
          onScroll={onScroll}
        />
      </ActionsContext>
    </RowsContext>
  );
}
