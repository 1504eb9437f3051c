import './section.css';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  aside?: ReactNode;
  /** Shown at the end of the title line, for example a link to the full list. */
  more?: ReactNode;
  children: ReactNode;
}

/** A titled section of a drawer. */
export function Section({ title, aside, more, children }: SectionProps) {
  return (
    <section className="ht-page-section">
      <h3>
        {title}
        {aside !== undefined && <span className="ht-page-aside">{aside}</span>}
        {more !== undefined && <span className="ht-page-more">{more}</span>}
      </h3>
      {children}
    </section>
  );
}

/** Note next to a section title that lists only the latest records; undefined for none. */
export const latestText = (count: number, unit: string): string | undefined =>
  count > 0 ? `最近 ${count} ${unit}` : undefined;
