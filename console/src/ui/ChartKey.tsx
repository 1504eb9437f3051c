import './chart.css';
import type { ReactNode } from 'react';

/** The colour of a series, what it is called, and what it comes to. */
export function ChartKey({ token, name, value }: { token: string; name: string; value?: ReactNode }) {
  return (
    <span className="ht-key">
      <i style={{ background: `var(${token})` }} />
      {name}
      {value}
    </span>
  );
}
