import './page-heading.css';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** Secondary text next to the title. */
  note?: ReactNode;
  /** Actions of the page, at the right. */
  children?: ReactNode;
}

/** Heading of a page, always at the same place. */
export function PageHeading({ title, note, children }: Props) {
  return (
    <header className="ht-page-heading">
      <h1>{title}</h1>
      {note && <span className="ht-page-heading-note">{note}</span>}
      {children && <div className="ht-page-heading-tools">{children}</div>}
    </header>
  );
}
