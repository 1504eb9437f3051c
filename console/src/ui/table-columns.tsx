import type { TableColumnType } from 'antd';
import type { ResizeHeadProps } from './ResizeHead.tsx';
import type { PlacedColumn } from './columns.ts';
import { ActionCell, RowCell } from './row-cells.tsx';

export const ACTIONS_KEY = 'actions';
export const SELECTION_WIDTH = 44;

/** The table receives row ids only; each cell reads its row from `RowsContext`. */
export interface RowId {
  id: number;
}

interface Options<Row> {
  placed: readonly PlacedColumn<Row>[];
  /** Width of the actions column, if there is one. */
  actionsWidth: number | undefined;
  sort: string | undefined;
  sortable: readonly string[];
  onResized: (key: string, width: number | undefined, done: boolean) => void;
}

const ALWAYS_SORTABLE = ['id', 'createdAt'];

/** Builds the table columns of the kit. */
export function tableColumns<Row>(options: Options<Row>): TableColumnType<RowId>[] {
  const { placed, actionsWidth, sort, sortable, onResized } = options;
  const sortField = sort?.replace(/^-/, '');
  const columns = placed.map((column): TableColumnType<RowId> => {
    const { key, title, width, align, side, render, byValue } = column;
    const isSortable = ALWAYS_SORTABLE.includes(key) || sortable.includes(key);
    return {
      key,
      title,
      width,
      ellipsis: { showTitle: false },
      align: align ?? 'left',
      ...(side && { fixed: side }),
      ...(isSortable && {
        sorter: true,
        sortOrder: sortField === key ? (sort?.startsWith('-') ? ('descend' as const) : ('ascend' as const)) : null,
      }),
      onHeaderCell: (): ResizeHeadProps => ({ onResized: (next, done) => onResized(key, next, done) }),
      onCell: () => ({ 'data-col': key }) as object,
      render: (_value, { id }) => <RowCell<Row> id={id} field={byValue && key} render={render} />,
    };
  });
  if (actionsWidth !== undefined) {
    columns.push({
      key: ACTIONS_KEY,
      title: '操作',
      width: actionsWidth,
      fixed: 'right',
      render: (_value, { id }) => <ActionCell id={id} />,
    });
  }
  return columns;
}

/** Widths of all columns including selection and actions, in pixels. */
export const widthsOf = <Row,>(
  placed: readonly PlacedColumn<Row>[],
  actionsWidth: number | undefined,
  isSelectable: boolean,
): number[] => [
  ...(isSelectable ? [SELECTION_WIDTH] : []),
  ...placed.map(({ width }) => width),
  ...(actionsWidth === undefined ? [] : [actionsWidth]),
];
