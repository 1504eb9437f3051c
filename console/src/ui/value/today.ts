import { useSyncExternalStore } from 'react';
import { type Day, addDays, dayOf, startOfDay } from './zone.ts';

interface Current {
  day: Day;
  /** First millisecond of the day. */
  from: number;
  /** First millisecond of the next day. */
  until: number;
}

const currentByZone = new Map<string, Current>();

function readToday(zone: string): Day {
  const now = Date.now();
  const current = currentByZone.get(zone);
  if (current && now >= current.from && now < current.until) return current.day;
  const day = dayOf(now, zone);
  currentByZone.set(zone, { day, from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) });
  return day;
}

const CHECK_MS = 15_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on screen: a list has hundreds. */
function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  timer ??= setInterval(() => {
    for (const listener of listeners) listener();
  }, CHECK_MS);
  return () => {
    listeners.delete(onChange);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current day in the zone; keeps its identity until midnight. */
export const useToday = (zone: string): Day => useSyncExternalStore(subscribe, () => readToday(zone));
