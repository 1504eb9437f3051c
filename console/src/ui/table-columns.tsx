import type { TableColumnType } from 'antd';
import type { ReactNode } from 'react';
import type { ResizeHeadProps } from './ResizeHead.tsx';
import type { Placed } from './columns.ts';
import { ActionCell, RowCell } from './row-cells.tsx';

export const ACTIONS_KEY = 'actions';
export const SELECTION_WIDTH = 44;

/** The last column: what can be done with a row. */
export interface Actions<Row> {
  width: number;
  render: (row: Row) => ReactNode;
}

/** What the table itself knows of a row: that it stands there. What is in it, its cells read for themselves. */
export interface Slot {
  id: number;
}

interface Options<Row> {
  placed: readonly Placed<Row>[];
  /** Width of the column of actions, where there is one. */
  actionsWidth: number | undefined;
  sort: string | undefined;
  sortable: readonly string[];
  onResized: (key: string, width: number | undefined, done: boolean) => void;
}

const ALWAYS_SORTABLE = ['id', 'createdAt'];

export function tableColumns<Row>(options: Options<Row>): TableColumnType<Slot>[] {
  const { placed, actionsWidth, sort, sortable, onResized } = options;
  const sorted = sort?.replace(/^-/, '');
  const columns = placed.map((column): TableColumnType<Slot> => {
    const { key, title, width, align, side, render, alone } = column;
    const sorts = ALWAYS_SORTABLE.includes(key) || sortable.includes(key);
    return {
      key,
      title,
      width,
      ellipsis: { showTitle: false },
      align: align ?? 'left',
      ...(side && { fixed: side }),
      ...(sorts && {
        sorter: true,
        sortOrder: sorted === key ? (sort?.startsWith('-') ? ('descend' as const) : ('ascend' as const)) : null,
      }),
      onHeaderCell: (): ResizeHeadProps => ({ onResized: (next, done) => onResized(key, next, done) }),
      onCell: () => ({ 'data-col': key }) as object,
      render: (_value, { id }) => <RowCell<Row> id={id} field={alone && key} render={render} />,
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

/** Of all columns, in their order. */
export const widthsOf = <Row,>(
  placed: readonly Placed<Row>[],
  actionsWidth: number | undefined,
  chooses: boolean,
): number[] => [
  ...(chooses ? [SELECTION_WIDTH] : []),
  ...placed.map(({ width }) => width),
  ...(actionsWidth === undefined ? [] : [actionsWidth]),
];
