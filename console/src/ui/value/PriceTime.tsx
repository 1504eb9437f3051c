import './value.css';
import { Time } from './Time.tsx';
import { roughDuration } from './duration.ts';
import { useFullValues } from './full-values.ts';
import { useMinute } from './minute.ts';
import { formatTime, useZone } from './zone.ts';

interface Props {
  /** Unix milliseconds; null without a price, and for USDT. */
  value: number | null;
  /** Whether the price is older than the setting allows. */
  old?: boolean;
  /** The age only, for lists; hover shows the time. */
  short?: boolean;
}

/** The time of a price and its age: `今天 14:03 · 2小时5分前`. */
export function PriceTime({ value, old = false, short = false }: Props) {
  const now = useMinute();
  const zone = useZone();
  const isFull = useFullValues();
  if (value === null) return <Time value={null} />;
  const age = `${roughDuration(Math.max(0, now - value))}前`;
  if (short && !isFull) return <span title={formatTime(value, zone)}>{age}</span>;
  return (
    <span className={old ? 'ht-value-warn' : undefined}>
      <Time value={value} near /> · {age}
      {old && ' · 已超过时限'}
    </span>
  );
}
