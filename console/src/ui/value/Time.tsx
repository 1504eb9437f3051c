import './time.css';
import './value.css';
import { useFullValues } from './full-values.ts';
import { useToday } from './today.ts';
import { type Day, addDays, dayText, formatTime, offsetText, useZone } from './zone.ts';

interface Props {
  value: number | null | undefined;
  /** Omits year and seconds; hover shows the full time. */
  short?: boolean;
  /** Omits the date as well. */
  clock?: boolean;
  /** 今天 14:03, 昨天 09:12, 11-21 08:40 or 2025-11-21, for lists. */
  near?: boolean;
  /** Includes milliseconds. */
  ms?: boolean;
}

/** A time in unix milliseconds, shown in the zone of the operator; hover shows zone and milliseconds. */
export function Time({ value, short = false, clock = false, ms = false, near = false }: Props) {
  const zone = useZone();
  const today = useToday(zone);
  const isFull = useFullValues();
  if (value === null || value === undefined) return <span className="ht-value-time ht-value-faint">--</span>;
  const text = formatTime(value, zone);
  const fine = `${text}.${String(value % 1000).padStart(3, '0')}`;
  const exact = `${fine} ${zone} (${offsetText(value, zone)})`;
  return (
    <time className="ht-value-time" dateTime={new Date(value).toISOString()} title={exact}>
      {near && !isFull ? nearText(text, today) : clock ? text.slice(11) : short ? text.slice(5, 16) : ms ? fine : text}
    </time>
  );
}

/** Shortens `2026-03-08 14:05:09` by its distance from today; a past or coming year shows the date only. */
function nearText(text: string, today: Day): string {
  const [date = '', clock = ''] = text.split(' ');
  if (date === dayText(today)) return `今天 ${clock.slice(0, 5)}`;
  if (date === dayText(addDays(today, -1))) return `昨天 ${clock.slice(0, 5)}`;
  return date.startsWith(String(today.year)) ? text.slice(5, 16) : date;
}
