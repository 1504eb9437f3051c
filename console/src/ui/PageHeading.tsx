import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** A quiet line beside the title. */
  note?: ReactNode;
  /** What can be done on the page, at the right. */
  children?: ReactNode;
}

/** The heading of a page, always at the same place. */
export function PageHeading({ title, note, children }: Props) {
  return (
    <header className="ht-heading">
      <h1>{title}</h1>
      {note && <span className="ht-heading-note">{note}</span>}
      {children && <div className="ht-heading-tools">{children}</div>}
    </header>
  );
}
