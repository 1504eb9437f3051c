import './ui.css';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** A titled part of what is read. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="ht-section">
      <h3>
        {title}
        {aside !== undefined && <span className="ht-aside">{aside}</span>}
      </h3>
      {children}
    </section>
  );
}
