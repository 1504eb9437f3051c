import { type ReactNode, createContext, memo, use } from 'react';

/** The actions column. */
export interface Actions<Row> {
  width: number;
  render: (row: Row) => ReactNode;
}

/** Rows by id, and the row actions. Contexts bypass the table, so only cells whose row changed re-render. */
export const RowsContext = createContext<ReadonlyMap<number, unknown>>(new Map());
export const ActionsContext = createContext<Actions<never> | undefined>(undefined);

interface CellProps<Row> {
  id: number;
  /** Field that `render` depends on; undefined if it may read the whole row. */
  field: (keyof Row & string) | undefined;
  render: (row: Row) => ReactNode;
}

/** A cell that reads its row by id; re-renders only when the row changes. */
export function RowCell<Row>({ id, field, render }: CellProps<Row>) {
  const row = use(RowsContext).get(id) as Row | undefined;
  return row === undefined ? null : <CellContent row={row} field={field} render={render} />;
}

interface ContentProps<Row> extends Omit<CellProps<Row>, 'id'> {
  row: Row;
}

const CellContentOf = <Row,>({ row, render }: ContentProps<Row>): ReactNode => render(row);
const CellContent = memo(CellContentOf, areEqual) as typeof CellContentOf;

function areEqual<Row>(a: ContentProps<Row>, b: ContentProps<Row>): boolean {
  if (a.render !== b.render) return false;
  return a.row === b.row || (b.field !== undefined && a.row[b.field] === b.row[b.field]);
}

/** Actions of a row. They may depend on any state of the page, so the latest renderer is used. */
export function ActionCell({ id }: { id: number }) {
  const row = use(RowsContext).get(id);
  const actions = use(ActionsContext);
  return row === undefined || !actions ? null : <span className="ht-actions">{actions.render(row as never)}</span>;
}
