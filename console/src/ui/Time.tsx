import './ui.css';
import { formatTime, offsetText, useZone } from './zone.ts';

interface Props {
  value: number | null | undefined;
  /** Omits year and seconds; hover shows the full time. */
  short?: boolean;
  /** Omits the date as well. */
  clock?: boolean;
  /** Includes milliseconds. */
  ms?: boolean;
}

/** A time in unix milliseconds, shown in the zone of the operator; hover shows zone and milliseconds. */
export function Time({ value, short = false, clock = false, ms = false }: Props) {
  const zone = useZone();
  if (value === null || value === undefined) return <span className="ht-time ht-faint">--</span>;
  const text = formatTime(value, zone);
  const fine = `${text}.${String(value % 1000).padStart(3, '0')}`;
  const exact = `${fine} ${zone} (${offsetText(value, zone)})`;
  return (
    <time className="ht-time" dateTime={new Date(value).toISOString()} title={exact}>
      {clock ? text.slice(11) : short ? text.slice(5, 16) : ms ? fine : text}
    </time>
  );
}
