import './ui.css';
import { Button, Pagination, Table } from 'antd';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Bones } from './Bones.tsx';
import { Money } from './Money.tsx';
import { ResizeHead } from './ResizeHead.tsx';
import { type Shortcut, Shortcuts } from './Shortcuts.tsx';
import { type SumField, TotalsRow } from './TotalsRow.tsx';
import { ROW_HEIGHT, useDensity } from './density.ts';
import { EmptyState, FaultState } from './list-states.tsx';
import type { CoinSum, ListView } from './list-view.ts';
import { type PageSum, pageSums } from './page-sums.ts';
import { type RowKeys, useRowCursor } from './row-cursor.ts';
import { useBoxHeight } from './box-height.ts';
import { withWidth } from './columns.ts';
import { ACTIONS_KEY, type Actions, SELECTION_WIDTH, tableColumns, widthsOf } from './table-columns.tsx';
import type { Columns } from './use-columns.ts';

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

const SIZES = [10, 20, 50, 100, 200];
const VIRTUAL_FROM = 100;
const NO_SHORTCUTS: readonly Shortcut[] = [];

/** The one table of every list: totals above, rows that never jump, page sums and pages below, all of it by keyboard. */
interface Scrolled {
  scrollTo: (to: { top: number }) => void;
}

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
  const { setCurrent } = cursor;

  const rowHeight = ROW_HEIGHT[density];
  const body = Math.max(rowHeight * 3, height - rowHeight - 1);
  const bones = list.pending && !list.fault;
  const broken = list.fault && list.rows.length === 0 && !list.changing;
  const virtual = list.rows.length > VIRTUAL_FROM;
  const rows = useMemo(() => (bones ? [] : [...list.rows]), [bones, list.rows]);

  return (
    <section className="ht-list" data-density={density} aria-label={label}>
      {(bulk || props.sums || props.aside) && <Strip {...props} bones={bones} />}
      <div
        className="ht-table"
        ref={box}
        data-changing={list.changing}
        data-virtual={virtual}
        aria-busy={list.fetching}
      >
        {list.waiting > 0 && (
          <button type="button" className="ht-waiting" onClick={list.showWaiting}>
            有 {list.waiting.toLocaleString('en-US')} 条新记录
          </button>
        )}
        {broken && list.fault ? (
          <FaultState fault={list.fault} onRetry={list.refresh} />
        ) : (
          <InnerTable
            {...props}
            rows={rows}
            bones={bones ? Math.min(list.size, Math.ceil(body / rowHeight)) : 0}
            virtual={virtual}
            body={body}
            tableRef={table}
            onRow={setCurrent}
            onScroll={virtual ? cursor.remark : undefined}
          />
        )}
      </div>
      <div className="ht-foot">
        <span className="ht-page-sum">{props.pageSum && <PageSums rows={list.rows} sum={props.pageSum} />}</span>
        <Pagination
          size="small"
          current={list.page}
          pageSize={list.size}
          total={list.total ?? 0}
          showTotal={(total) => (list.total === undefined ? '' : `共 ${total.toLocaleString('en-US')} 条`)}
          showSizeChanger={{ 'aria-label': '每页条数', showSearch: false }}
          showQuickJumper
          pageSizeOptions={SIZES}
          onChange={list.setPage}
        />
      </div>
      <Shortcuts
        open={help}
        chooses={bulk !== undefined}
        more={props.shortcuts ?? NO_SHORTCUTS}
        onClose={() => setHelp(false)}
      />
    </section>
  );
}

/** Totals; while rows are chosen, what can be done with them stands in the same place, so that nothing moves. */
function Strip<Row extends Keyed, Sum extends CoinSum>(props: ResourceTableProps<Row, Sum> & { bones: boolean }) {
  const { list, bulk, sums, aside, bones } = props;
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
        <TotalsRow summary={list.summary} fields={sums} pending={bones} />
      ) : (
        (aside ?? <span className="ht-faint">勾选多行后可批量操作</span>)
      )}
    </div>
  );
}

function PageSums<Row>({ rows, sum }: { rows: readonly Row[]; sum: PageSum<Row> }) {
  const sums = pageSums(rows, sum);
  return (
    <>
      <span>本页合计</span>
      {sums.map(({ coin, value }) => (
        <Money key={coin} value={value} unit={coin} digits={18} />
      ))}
      {sums.length === 0 && <span>--</span>}
    </>
  );
}

interface InnerProps<Row extends Keyed, Sum> extends ResourceTableProps<Row, Sum> {
  rows: Row[];
  /** So many rows of grey bars, while nothing is known. */
  bones: number;
  virtual: boolean;
  body: number;
  tableRef: React.Ref<Scrolled>;
  onRow: (id: number) => void;
  onScroll: (() => void) | undefined;
}

function InnerTable<Row extends Keyed, Sum>({ tableRef, ...props }: InnerProps<Row, Sum>) {
  const { list, columns, actions, rows, bones, bulk, onOpen, onRow, body, virtual, label } = props;
  const [live, setLive] = useState<{ key: string; width: number }>();
  const { placed, choice, setChoice } = columns;
  const shown = useMemo(
    () => placed.filter(({ shown }) => shown).map((c) => (c.key === live?.key ? { ...c, width: live.width } : c)),
    [placed, live],
  );
  const antColumns = tableColumns({
    placed: shown,
    actions,
    sort: list.sort,
    sortable: list.sortable,
    onResized: (key, width, done) => {
      setLive(done || width === undefined ? undefined : { key, width });
      if (done) setChoice(withWidth(choice, key, width));
    },
  });

  const keys = useMemo(() => [...list.selected.keys()], [list.selected]);
  const widths = widthsOf(shown, actions, bulk !== undefined);
  return (
    <Table<Row>
      ref={tableRef as never}
      rowKey="id"
      size="small"
      aria-label={label}
      columns={antColumns}
      dataSource={rows}
      components={COMPONENTS}
      pagination={false}
      showSorterTooltip={false}
      sortDirections={['descend', 'ascend']}
      tableLayout="fixed"
      virtual={virtual}
      scroll={{ x: widths.reduce((sum, width) => sum + width, 0), y: body }}
      {...(props.onScroll && { onScroll: props.onScroll })}
      {...(bulk && {
        rowSelection: {
          selectedRowKeys: keys,
          columnWidth: SELECTION_WIDTH,
          fixed: true,
          preserveSelectedRowKeys: true,
          getCheckboxProps: (row: Row) => ({ 'aria-label': `选择 ${row.id}` }),
          getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
          onSelect: (row: Row, chosen: boolean) => list.select([row], chosen),
          onSelectAll: (chosen: boolean) => list.select(rows, chosen),
        },
      })}
      onRow={(row) => ({
        onClick: () => onRow(row.id),
        onDoubleClick: () => onOpen?.(row),
      })}
      onChange={(_pages, _filters, sorter, { action }) => {
        if (action !== 'sort' || Array.isArray(sorter)) return;
        const field = String(sorter.columnKey ?? '');
        list.setSort(sorter.order ? `${sorter.order === 'descend' ? '-' : ''}${field}` : undefined);
      }}
      locale={{
        emptyText: bones ? (
          <Bones rows={bones} widths={widths} />
        ) : (
          <EmptyState
            filtered={list.filtered}
            beyond={(list.total ?? 0) > 0}
            onReset={list.reset}
            onFirst={() => list.setPage(1, list.size)}
            next={props.next}
          />
        ),
      }}
      data-actions={actions ? ACTIONS_KEY : undefined}
    />
  );
}

const COMPONENTS = { header: { cell: ResizeHead } };
