import './chart.css';
import type { ReactNode } from 'react';

/** Legend entry: colour, name and value of a series. */
export function ChartKey({ token, name, value }: { token: string; name: string; value?: ReactNode }) {
  return (
    <span className="ht-key">
      <i style={{ background: `var(${token})` }} />
      {name}
      {value}
    </span>
  );
}
