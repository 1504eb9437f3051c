import { type ReactNode, createContext, memo, use } from 'react';
import type { Actions } from './table-columns.tsx';

/** The rows on screen by their id, and what can be done with one. They go past the table, straight to the cells. */
export const RowsContext = createContext<ReadonlyMap<number, unknown>>(new Map());
export const ActionsContext = createContext<Actions<never> | undefined>(undefined);

interface CellProps<Row> {
  id: number;
  /** The field that is all that `render` draws; undefined where it reads more of the row. */
  field: (keyof Row & string) | undefined;
  render: (row: Row) => ReactNode;
}

/** A cell of the row with this id: drawn again when its row changed, whatever the page around it does. */
export function RowCell<Row>({ id, field, render }: CellProps<Row>) {
  const row = use(RowsContext).get(id) as Row | undefined;
  return row === undefined ? null : <Drawn row={row} field={field} render={render} />;
}

interface DrawnProps<Row> extends Omit<CellProps<Row>, 'id'> {
  row: Row;
}

const DrawnOf = <Row,>({ row, render }: DrawnProps<Row>): ReactNode => render(row);
const Drawn = memo(DrawnOf, same) as typeof DrawnOf;

function same<Row>(a: DrawnProps<Row>, b: DrawnProps<Row>): boolean {
  if (a.render !== b.render) return false;
  return a.row === b.row || (b.field !== undefined && a.row[b.field] === b.row[b.field]);
}

/** What can be done with a row. It may depend on anything the page knows, so the page's latest word is asked for. */
export function ActionCell({ id }: { id: number }) {
  const row = use(RowsContext).get(id);
  const actions = use(ActionsContext);
  return row === undefined || !actions ? null : <span className="ht-actions">{actions.render(row as never)}</span>;
}
