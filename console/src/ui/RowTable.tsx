import { Table } from 'antd';
import { type ReactNode, memo, useMemo, useState } from 'react';
import { Skeleton } from './Skeleton.tsx';
import { ResizeHead } from './ResizeHead.tsx';
import { VirtualRow } from './VirtualRow.tsx';
import type { Placed } from './columns.ts';
import { ACTIONS_KEY, SELECTION_WIDTH, type Slot, tableColumns, widthsOf } from './table-columns.tsx';

export interface Scrolled {
  scrollTo: (to: { top: number }) => void;
}

interface Props<Row> {
  label: string;
  slots: readonly Slot[];
  placed: readonly Placed<Row>[];
  /** Width of the column of actions, where there is one. */
  actionsWidth: number | undefined;
  sort: string | undefined;
  sortable: readonly string[];
  /** Rows that are chosen; undefined where none can be. */
  chosen: readonly number[] | undefined;
  /** So many rows of grey bars, while nothing is known. */
  skeleton: number;
  /** What stands there instead of rows. */
  empty: ReactNode;
  virtual: boolean;
  height: number;
  tableRef: React.Ref<Scrolled>;
  onWidth: (key: string, width: number | undefined) => void;
  onSort: (sort: string | undefined) => void;
  onChoose: (ids: readonly number[], chosen: boolean) => void;
  onRow: (id: number) => void;
  onOpen: (id: number) => void;
  onScroll: () => void;
}

function RowTableOf<Row>({
  label,
  slots,
  placed,
  actionsWidth,
  sort,
  sortable,
  chosen,
  skeleton,
  empty,
  virtual,
  height,
  tableRef,
  onWidth,
  onSort,
  onChoose,
  onRow,
  onOpen,
  onScroll,
}: Props<Row>) {
  const [live, setLive] = useState<{ key: string; width: number }>();
  const shown = useMemo(
    () => placed.filter((c) => c.shown).map((c) => (c.key === live?.key ? { ...c, width: live.width } : c)),
    [placed, live],
  );
  const columns = useMemo(
    () =>
      tableColumns({
        placed: shown,
        actionsWidth,
        sort,
        sortable,
        onResized: (key, width, done) => {
          setLive(done || width === undefined ? undefined : { key, width });
          if (done) onWidth(key, width);
        },
      }),
    [shown, actionsWidth, sort, sortable, onWidth],
  );
  const widths = widthsOf(shown, actionsWidth, chosen !== undefined);
  return (
    <Table<Slot>
      ref={tableRef as never}
      rowKey="id"
      size="small"
      aria-label={label}
      columns={columns}
      dataSource={slots}
      components={virtual ? VIRTUAL : PLAIN}
      rowHoverable={false}
      pagination={false}
      showSorterTooltip={false}
      sortDirections={['descend', 'ascend']}
      tableLayout="fixed"
      virtual={virtual}
      scroll={{ x: widths.reduce((sum, width) => sum + width, 0), y: height }}
      {...(virtual && { onScroll: onScroll })}
      {...(chosen && {
        rowSelection: {
          selectedRowKeys: [...chosen],
          columnWidth: SELECTION_WIDTH,
          fixed: true,
          preserveSelectedRowKeys: true,
          getCheckboxProps: ({ id }: Slot) => ({ 'aria-label': `选择 ${id}` }),
          getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
          onSelect: ({ id }: Slot, on: boolean) => onChoose([id], on),
          onSelectAll: (on: boolean) =>
            onChoose(
              slots.map(({ id }) => id),
              on,
            ),
        },
      })}
      onRow={({ id }) => ({ onClick: () => onRow(id), onDoubleClick: () => onOpen(id) })}
      onChange={(_pages, _filters, sorter, { action }) => {
        if (action !== 'sort' || Array.isArray(sorter)) return;
        const field = String(sorter.columnKey ?? '');
        onSort(sorter.order ? `${sorter.order === 'descend' ? '-' : ''}${field}` : undefined);
      }}
      locale={{ emptyText: skeleton ? <Skeleton rows={skeleton} widths={widths} /> : empty }}
      data-actions={actionsWidth === undefined ? undefined : ACTIONS_KEY}
    />
  );
}

/**
 * The table around the rows: which rows stand where, not what is in them. So it is drawn again when a row comes, goes or
 * moves, and a refresh that only brings other values passes it by.
 */
export const RowTable = memo(RowTableOf) as typeof RowTableOf;

const PLAIN = { header: { cell: ResizeHead } };
const VIRTUAL = { ...PLAIN, body: { row: VirtualRow } };
