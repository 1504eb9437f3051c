import './ui.css';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  aside?: ReactNode;
  /** Stands at the end of the title's line: the way to all of it. */
  more?: ReactNode;
  children: ReactNode;
}

/** A titled part of what is read. */
export function Section({ title, aside, more, children }: SectionProps) {
  return (
    <section className="ht-section">
      <h3>
        {title}
        {aside !== undefined && <span className="ht-aside">{aside}</span>}
        {more !== undefined && <span className="ht-more">{more}</span>}
      </h3>
      {children}
    </section>
  );
}

/** What stands aside of a part that shows the latest of something: nothing where there is nothing. */
export const latest = (count: number, unit: string): string | undefined =>
  count > 0 ? `最近 ${count} ${unit}` : undefined;
