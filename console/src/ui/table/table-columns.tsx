import './table-columns.css';
import type { TableColumnType } from 'antd';
import type { ResizeHeadProps } from './ResizeHead.tsx';
import { type PlacedColumn, secondHeading } from './columns.ts';
import { ActionCell, RowCell, SecondLine } from './row-cells.tsx';

export const ACTIONS_KEY = 'actions';
export const SELECTION_WIDTH = 40;

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
  onResized: (key: string, width: number | undefined, done: boolean, rowWidth: number) => void;
}

const ALWAYS_SORTABLE = ['id', 'createdAt'];

/** Builds the table columns of the kit. */
export function tableColumns<Row>(options: Options<Row>): TableColumnType<RowId>[] {
  const { placed, actionsWidth, sort, sortable, onResized } = options;
  const sortField = sort?.replace(/^-/, '');
  const columns = ownColumns(placed).map((column): TableColumnType<RowId> => {
    const { key, width, align, side, render, byValue } = column;
    const guests = placed.filter(({ host }) => host === key);
    const isSortable = ALWAYS_SORTABLE.includes(key) || sortable.includes(key);
    return {
      key,
      title: <Heading column={column} guests={guests} />,
      width,
      align: align ?? 'left',
      ...(side && { fixed: side }),
      ...(isSortable && {
        sorter: true,
        sortOrder: sortField === key ? (sort?.startsWith('-') ? ('descend' as const) : ('ascend' as const)) : null,
      }),
      onHeaderCell: (): ResizeHeadProps => ({
        onResized: (next, done, rowWidth) => onResized(key, next, done, rowWidth),
      }),
      onCell: () => ({ 'data-col': key }) as object,
      render: (_value, { id }) => (
        <>
          <RowCell<Row> id={id} field={byValue && key} render={render} />
          {guests.length > 0 && <SecondLine<Row> id={id} guests={guests} />}
        </>
      ),
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

/** The columns that are not shown within the cells of another. */
const ownColumns = <Row,>(placed: readonly PlacedColumn<Row>[]) => placed.filter(({ host }) => host === undefined);

function Heading<Row>({ column, guests }: { column: PlacedColumn<Row>; guests: readonly PlacedColumn<Row>[] }) {
  if (guests.length === 0) return <span className="ht-table-head-name">{beforeUnit(column.title)}</span>;
  const second = secondHeading(guests);
  return (
    <span className="ht-table-heads">
      <span title={column.title}>{beforeUnit(column.title)}</span>
      <small title={second}>{guests.length === 1 ? beforeUnit(second) : second}</small>
    </span>
  );
}

/** A title that may break before its unit: where there is no room the unit is left out, not the end of the name. */
function beforeUnit(title: string) {
  const [name, unit] = title.split(/(?=\()/);
  return (
    <>
      {name}
      {unit !== undefined && <wbr />}
      {unit}
    </>
  );
}

/** Widths of all columns including selection and actions, in pixels. */
export const widthsOf = <Row,>(
  placed: readonly PlacedColumn<Row>[],
  actionsWidth: number | undefined,
  isSelectable: boolean,
): number[] => [
  ...(isSelectable ? [SELECTION_WIDTH] : []),
  ...ownColumns(placed).map(({ width }) => width),
  ...(actionsWidth === undefined ? [] : [actionsWidth]),
];
