import type { TableColumnType } from 'antd';
import type { ReactNode } from 'react';
import type { ResizeHeadProps } from './ResizeHead.tsx';
import type { Placed } from './columns.ts';

export const ACTIONS_KEY = 'actions';
export const SELECTION_WIDTH = 44;

/** The last column: what can be done with a row. */
export interface Actions<Row> {
  width: number;
  render: (row: Row) => ReactNode;
}

interface Options<Row> {
  placed: readonly Placed<Row>[];
  actions: Actions<Row> | undefined;
  sort: string | undefined;
  sortable: readonly string[];
  onResized: (key: string, width: number | undefined, done: boolean) => void;
}

const ALWAYS_SORTABLE = ['id', 'createdAt'];

export function tableColumns<Row>(options: Options<Row>): TableColumnType<Row>[] {
  const { placed, actions, sort, sortable, onResized } = options;
  const sorted = sort?.replace(/^-/, '');
  const columns = placed.map((column): TableColumnType<Row> => {
    const { key, title, width, align, side, render } = column;
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
      render: (_value, row) => render(row),
    };
  });
  if (actions) {
    columns.push({
      key: ACTIONS_KEY,
      title: '操作',
      width: actions.width,
      fixed: 'right',
      render: (_value, row) => <span className="ht-actions">{actions.render(row)}</span>,
    });
  }
  return columns;
}

/** Of all columns, in their order. */
export const widthsOf = <Row,>(
  placed: readonly Placed<Row>[],
  actions: Actions<Row> | undefined,
  chooses: boolean,
): number[] => [
  ...(chooses ? [SELECTION_WIDTH] : []),
  ...placed.map(({ width }) => width),
  ...(actions ? [actions.width] : []),
];
