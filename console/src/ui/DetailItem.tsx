import './ui.css';
import type { ReactNode } from 'react';

/** One label and value in a details list (`<dl>`). */
export function DetailItem({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'ht-details-wide' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
