const SLOT_MS = 15 * 60_000;
const DAY_SLOTS = 96;
/** Behind which there are no times. */
const LAST_SLOT = 8_640_000_000_000_000 / SLOT_MS;
const KEPT_MAX = 100_000;
export const DAY_SECONDS = 86_400;
/** Days from the spreadsheet's day 0 to 1970-01-01. */
const EPOCH_DAYS = 25_569;
/** From 1900-03-01, before which spreadsheets count days differently, to the last day that they know. */
const FIRST_DAY = 61;
const LAST_DAY = 2_958_465;

/**
 * Digits of a spreadsheet's time behind the point. They tell a hundred-thousandth of a second, and with the day they are as
 * many as a spreadsheet keeps.
 */
export const PART_DIGITS = 10;
const PARTS = 10 ** PART_DIGITS;

/** A day, counted from 1970-01-01, as a spreadsheet counts it; undefined where it does not. */
export function serialDay(day: number): string | undefined {
  const counted = day + EPOCH_DAYS;
  return counted >= FIRST_DAY && counted <= LAST_DAY ? String(counted) : undefined;
}

/** What part of a day so many seconds are, as the number that those digits are. */
export const partOfDay = (seconds: number): number => Math.round((seconds * PARTS) / DAY_SECONDS);

/** What clocks on the wall of a zone show. */
export interface WallClock {
  zone: string;
  /** `2026-03-08 14:05:09`. */
  text: (ms: number) => string;
  /** Days since the spreadsheet's day 0, whole seconds; undefined where no spreadsheet can show the day. */
  serial: (ms: number) => string | undefined;
  /** Whole seconds that the wall shows, counted as if it hung in Greenwich. */
  seconds: (ms: number) => number;
}

export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/**
 * Asking for an offset is slow, and zones change theirs only at quarters of an hour, and never there and back within a day: it
 * is asked where a day begins and ends, and for each quarter of those few days that end with another.
 */
export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'narrow',
  });
  const wallAt = (at: number): number => {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of format.formatToParts(at)) part[type] = value;
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(part[type]);
    return Date.UTC(
      number('year'),
      number('month') - 1,
      number('day'),
      number('hour'),
      number('minute'),
      number('second'),
    );
  };
  const offsets = new Map<number, number>();
  const lookUp = (slot: number): number => {
    const known = offsets.get(slot);
    if (known !== undefined) return known;
    const offset = wallAt(slot * SLOT_MS) - slot * SLOT_MS;
    if (offsets.size >= KEPT_MAX) offsets.clear();
    offsets.set(slot, offset);
    return offset;
  };
  // Rows that follow each other are mostly of one quarter.
  const last = { slot: Number.NaN, offset: 0 };
  const offsetAt = (ms: number): number => {
    const slot = Math.floor(ms / SLOT_MS);
    if (slot === last.slot) return last.offset;
    const day = Math.floor(slot / DAY_SLOTS) * DAY_SLOTS;
    const offset = lookUp(day);
    last.offset = offset === lookUp(Math.min(day + DAY_SLOTS, LAST_SLOT)) ? offset : lookUp(slot);
    last.slot = slot;
    return last.offset;
  };
  const wallSeconds = (ms: number): number => Math.floor((ms + offsetAt(ms)) / 1000);
  return {
    zone,
    seconds: wallSeconds,
    text: (ms) => new Date(wallSeconds(ms) * 1000).toISOString().replace('T', ' ').slice(0, -5),
    serial: (ms) => {
      const seconds = wallSeconds(ms);
      const day = Math.floor(seconds / DAY_SECONDS);
      const digits = String(partOfDay(seconds - day * DAY_SECONDS)).padStart(PART_DIGITS, '0');
      const whole = serialDay(day);
      return whole && `${whole}.${digits}`.replace(/\.?0+$/, '');
    },
  };
}
