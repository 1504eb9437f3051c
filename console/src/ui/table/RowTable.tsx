import { Table } from 'antd';
import { type ReactNode, memo, useMemo, useState } from 'react';
import { Skeleton } from '../page/Skeleton.tsx';
import { ResizeHead } from './ResizeHead.tsx';
import { VirtualRow } from './VirtualRow.tsx';
import type { PlacedColumn } from './columns.ts';
import { ACTIONS_KEY, SELECTION_WIDTH, type RowId, tableColumns, widthsOf } from './table-columns.tsx';

export interface ScrollHandle {
  scrollTo: (to: { top: number }) => void;
}

interface Props<Row> {
  label: string;
  rowIds: readonly RowId[];
  placed: readonly PlacedColumn<Row>[];
  /** Width of the actions column, if there is one. */
  actionsWidth: number | undefined;
  sort: string | undefined;
  sortable: readonly string[];
  /** Ids of the selected rows; undefined if rows cannot be selected. */
  selected: readonly number[] | undefined;
  /** Number of skeleton rows. */
  skeleton: number;
  /** Shown instead of rows. */
  empty: ReactNode;
  virtual: boolean;
  height: number;
  tableRef: React.Ref<ScrollHandle>;
  onWidth: (key: string, width: number | undefined) => void;
  onSort: (sort: string | undefined) => void;
  onSelect: (ids: readonly number[], selected: boolean) => void;
  onRow: (id: number) => void;
  onOpen: (id: number) => void;
  onScroll: () => void;
}

function RowTableOf<Row>({
  label,
  rowIds,
  placed,
  actionsWidth,
  sort,
  sortable,
  selected,
  skeleton,
  empty,
  virtual,
  height,
  tableRef,
  onWidth,
  onSort,
  onSelect,
  onRow,
  onOpen,
  onScroll,
}: Props<Row>) {
  const isSelectable = selected !== undefined;
  const [resizing, setResizing] = useState<{ key: string; width: number }>();
  const visible = useMemo(
    () => placed.filter((c) => c.shown).map((c) => (c.key === resizing?.key ? { ...c, width: resizing.width } : c)),
    [placed, resizing],
  );
  const columns = useMemo(
    () =>
      tableColumns({
        placed: visible,
        actionsWidth,
        sort,
        sortable,
        onResized: (key, drawn, isDone, rowWidth) => {
          const others = widthsOf(
            visible.filter((column) => column.key !== key),
            actionsWidth,
            isSelectable,
          );
          const width = drawn === undefined ? undefined : setWidthOf(drawn, rowWidth, others);
          setResizing(isDone || width === undefined ? undefined : { key, width });
          if (isDone) onWidth(key, width);
        },
      }),
    [visible, actionsWidth, isSelectable, sort, sortable, onWidth],
  );
  const widths = widthsOf(visible, actionsWidth, isSelectable);
  return (
    <Table<RowId>
      ref={tableRef as never}
      rowKey="id"
      size="small"
      aria-label={label}
      columns={columns}
      dataSource={rowIds}
      components={virtual ? VIRTUAL : PLAIN}
      rowHoverable={false}
      pagination={false}
      showSorterTooltip={false}
      sortDirections={['descend', 'ascend']}
      tableLayout="fixed"
      virtual={virtual}
      scroll={{ x: widths.reduce((sum, width) => sum + width, 0), y: height }}
      {...(virtual && { onScroll: onScroll })}
      {...(selected && {
        rowSelection: {
          selectedRowKeys: [...selected],
          columnWidth: SELECTION_WIDTH,
          fixed: true,
          preserveSelectedRowKeys: true,
          getCheckboxProps: ({ id }: RowId) => ({ 'aria-label': `选择 ${id}` }),
          getTitleCheckboxProps: () => ({ 'aria-label': '选择本页全部' }),
          onSelect: ({ id }: RowId, isSelected: boolean) => onSelect([id], isSelected),
          onSelectAll: (isSelected: boolean) =>
            onSelect(
              rowIds.map(({ id }) => id),
              isSelected,
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

/** The width to set so that a column is drawn with a width: a table narrower than its box stretches all its columns. */
function setWidthOf(drawn: number, rowWidth: number, others: readonly number[]): number {
  const rest = others.reduce((sum, width) => sum + width, 0);
  return rest + drawn >= rowWidth ? drawn : Math.round((drawn * rest) / (rowWidth - drawn));
}

/**
 * The table knows which rows are where, not their values. It re-renders when rows are added, removed or moved, but not
 * when a refresh only changes values.
 */
export const RowTable = memo(RowTableOf) as typeof RowTableOf;

const PLAIN = { header: { cell: ResizeHead } };
const VIRTUAL = { ...PLAIN, body: { row: VirtualRow } };
