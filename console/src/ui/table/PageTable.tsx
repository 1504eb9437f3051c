import './page-table.css';
import type { ReactNode } from 'react';

interface Props {
  /** Accessible name of the table. */
  label: string;
  titles: readonly string[];
  /** The rows. */
  children: ReactNode;
}

/** A short table on a page of settings, without paging and sorting. */
export function PageTable({ label, titles, children }: Props) {
  return (
    <table className="ht-table-page" aria-label={label}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
