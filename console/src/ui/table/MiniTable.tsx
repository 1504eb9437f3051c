import './mini-table.css';
import type { ReactNode } from 'react';

export interface MiniColumn<Row> {
  title: string;
  right?: true;
  /** Never breaks: a coin, a state. */
  nowrap?: true;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string | number;
  columns: readonly MiniColumn<Row>[];
  /** Text if there are no rows. */
  empty: string;
  /** Whether a row is highlighted. */
  isMarked?: (row: Row) => boolean;
  foot?: ReactNode;
}

/** A small read-only table inside a drawer. */
export function MiniTable<Row>({ label, rows, keyOf, columns, empty, isMarked, foot }: Props<Row>) {
  if (rows.length === 0) return <p className="ht-value-faint">{empty}</p>;
  return (
    // Wide tables scroll sideways, so the box must be focusable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="ht-table-mini-box" role="region" aria-label={label} tabIndex={0}>
      <table className="ht-table-mini">
        <thead>
          <tr>
            {columns.map(({ title, right }) => (
              <th key={title} scope="col" className={right && 'ht-table-right'}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} data-mark={isMarked?.(row) ?? false}>
              {columns.map(({ title, right, nowrap, cell }) => (
                <td key={title} className={right ? 'ht-table-right' : nowrap && 'ht-table-nowrap'}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}
