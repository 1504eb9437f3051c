import { createContext, useContext } from 'react';

/** Default zone, the same as that of exports (`server/src/books/exports/request.ts`). Times are unix milliseconds everywhere; zones matter only for display and input. */
export const DEFAULT_ZONE = 'Asia/Shanghai';

/** Zone in which the operator sees times; provided by the shell. */
export const ZoneContext = createContext(DEFAULT_ZONE);
export const useZone = (): string => useContext(ZoneContext);

/** A calendar day; months start at 1. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    clocks.set(zone, clock);
  }
  return clock;
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function readParts(ms: number, zone: string): Record<Field, string> {
  const parts = {} as Record<Intl.DateTimeFormatPartTypes, string>;
  for (const { type, value } of clockOf(zone).formatToParts(ms)) parts[type] = value;
  return parts;
}

/** Formats unix milliseconds as `2026-03-08 14:05:09` in the zone. */
export function formatTime(ms: number, zone: string): string {
  const t = readParts(ms, zone);
  return `${t.year}-${t.month}-${t.day} ${t.hour}:${t.minute}:${t.second}`;
}

/** Formats unix milliseconds as `14:05:09` in the zone. */
export const formatClock = (ms: number, zone: string): string => formatTime(ms, zone).slice(11);

export function dayOf(ms: number, zone: string): Day {
  const t = readParts(ms, zone);
  return { year: Number(t.year), month: Number(t.month), day: Number(t.day) };
}

/** Formats a day as `2026-03-08`. */
export const dayText = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

export function addDays({ year, month, day }: Day, days: number): Day {
  const shifted = new Date(Date.UTC(year, month - 1, day + days));
  return { year: shifted.getUTCFullYear(), month: shifted.getUTCMonth() + 1, day: shifted.getUTCDate() };
}

/** Offset of the zone from UTC at that time, in ms. */
function offsetAt(ms: number, zone: string): number {
  const t = readParts(ms, zone);
  const wall = Date.UTC(+t.year, +t.month - 1, +t.day, +t.hour, +t.minute, +t.second);
  return wall - Math.floor(ms / 1000) * 1000;
}

export interface Clock {
  hour: number;
  minute: number;
  second: number;
}

/** Converts local date and time to unix milliseconds, also on days with a clock change. */
export function momentOf({ year, month, day }: Day, { hour, minute, second }: Clock, zone: string): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const first = wall - offsetAt(wall, zone);
  return wall - offsetAt(first, zone);
}

const DAY_MS = 86_400_000;

/** First millisecond of the day in the zone, also where clocks skip midnight or have it twice. */
export function startOfDay(day: Day, zone: string): number {
  const wall = Date.UTC(day.year, day.month - 1, day.day);
  const before = wall - offsetAt(wall - DAY_MS, zone);
  const after = wall - offsetAt(wall + DAY_MS, zone);
  const [first, second] = before < after ? [before, after] : [after, before];
  return dayText(dayOf(first, zone)) === dayText(day) ? first : second;
}

/** Last millisecond of the day in the zone. */
export const endOfDay = (day: Day, zone: string): number => startOfDay(addDays(day, 1), zone) - 1;

/** Formats the offset at that time: `UTC+8`. */
export function offsetText(ms: number, zone: string): string {
  const minutes = offsetAt(ms, zone) / 60_000;
  const rest = Math.abs(minutes) % 60;
  const hours = Math.trunc(Math.abs(minutes) / 60);
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** Unix milliseconds, both inclusive. */
export interface Range {
  from: number;
  to: number;
}

const monthStart = (d: Day): Day => ({ year: d.year, month: d.month, day: 1 });

const presets: Readonly<Record<string, (today: Day) => [Day, Day]>> = {
  今天: (today) => [today, today],
  昨天: (today) => [addDays(today, -1), addDays(today, -1)],
  近7天: (today) => [addDays(today, -6), today],
  近30天: (today) => [addDays(today, -29), today],
  本月: (today) => [monthStart(today), today],
  上月: (today) => {
    const last = addDays(monthStart(today), -1);
    return [monthStart(last), last];
  },
};

export const presetNames = Object.keys(presets);

/**
 * Range of whole days of a preset, last day inclusive.
 *
 * @throws Error for an unknown preset name
 */
export function presetRange(name: string, now: number, zone: string): Range {
  const days = presets[name];
  if (!days) throw new Error(`unknown date preset: ${name}`);
  const [first, last] = days(dayOf(now, zone));
  return { from: startOfDay(first, zone), to: endOfDay(last, zone) };
}
