import './chart-key.css';
import type { ReactNode } from 'react';

interface Props {
  token: string;
  name: string;
  value?: ReactNode;
  /** As the series is drawn; a filled bar if omitted. */
  look?: 'outline' | 'line' | 'dash';
}

/** Legend entry: mark, name and value of a series. */
export function ChartKey({ token, name, value, look }: Props) {
  return (
    <span className="ht-chart-key">
      <i data-look={look} style={{ color: `var(${token})` }} />
      {name}
      {value}
    </span>
  );
}
