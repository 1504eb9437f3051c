import './ui.css';
import type { ReactNode } from 'react';

/** One line of a `ht-facts` list: what it is called, and what it is. */
export function DetailItem({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'ht-details-wide' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
