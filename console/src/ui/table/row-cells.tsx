import './row-cells.css';
import { type ReactNode, createContext, memo, use } from 'react';
import type { PlacedColumn } from './columns.ts';

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

interface SecondLineProps<Row> {
  id: number;
  guests: readonly PlacedColumn<Row>[];
}

/** The columns shown within the cell of another: units after its value, the others in a second line. */
export function SecondLine<Row>({ id, guests }: SecondLineProps<Row>) {
  const row = use(RowsContext).get(id) as Row | undefined;
  return row === undefined ? null : <Guests row={row} guests={guests} />;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function GuestsOf<Row>({ row, guests }: { row: Row; guests: readonly PlacedColumn<Row>[] }) {
  const filled = guests.filter(({ key }) => !isEmpty(row[key]));
  const lines = filled.filter(({ unitOf }) => unitOf === undefined);
  return (
    <>
      {filled
        // No unit without an amount.
        .filter(({ unitOf }) => unitOf !== undefined && !isEmpty(row[unitOf]))
        .map(({ key, render }) => (
          <span key={key} className="ht-value-unit" data-col={key}>
            {' '}
            {render(row)}
          </span>
        ))}
      {lines.length > 0 && (
        <span className="ht-table-second">
          {lines.map(({ key, render }) => (
            <span key={key} data-col={key}>
              {render(row)}
            </span>
          ))}
        </span>
      )}
    </>
  );
}
const Guests = memo(GuestsOf) as typeof GuestsOf;

/** Actions of a row. They may depend on any state of the page, so the latest renderer is used. */
export function ActionCell({ id }: { id: number }) {
  const row = use(RowsContext).get(id);
  const actions = use(ActionsContext);
  return row === undefined || !actions ? null : (
    <span className="ht-table-actions">{actions.render(row as never)}</span>
  );
}
