const SLOT_MS = 15 * 60_000;
const DAY_SLOTS = 96;
/** The latest time that a Date can represent. */
const LAST_SLOT = 8_640_000_000_000_000 / SLOT_MS;
const CACHE_MAX = 100_000;
const DAY_SECONDS = 86_400;
/** Days from the spreadsheet's day 0 to 1970-01-01. */
const EPOCH_DAYS = 25_569;
/** 1900-03-01, before which spreadsheets number days inconsistently, and 9999-12-31, their last day. */
const FIRST_DAY = 61;
const LAST_DAY = 2_958_465;

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
/** Length of the time in an ISO date. */
const TIME_LENGTH = 'T00:00:00.000Z'.length;

/**
 * Decimal places of a spreadsheet's time. They resolve 10 microseconds, and together with the day they are the 15
 * digits that a spreadsheet preserves.
 */
const PART_DIGITS = 10;

/** The local time of a zone. Timestamps are unix milliseconds. */
export interface WallClock {
  zone: string;
  /** `2026-03-08 14:05:09`. */
  text: (ms: number) => string;
  /**
   * Serial number of a spreadsheet: days and fraction, to the second; undefined if spreadsheets cannot show the day.
   */
  serial: (ms: number) => string | undefined;
}

export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/**
 * Creates the clock of a zone; `zone` must be valid. Intl is slow, so offsets are cached. Zones change their offset
 * only at quarter hours and at most once a day: if a day begins and ends with the same offset, that offset holds for
 * all of it.
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
    const cached = offsets.get(slot);
    if (cached !== undefined) return cached;
    const offset = wallAt(slot * SLOT_MS) - slot * SLOT_MS;
    if (offsets.size >= CACHE_MAX) offsets.clear();
    offsets.set(slot, offset);
    return offset;
  };
  // Consecutive rows are mostly from the same quarter of an hour.
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
  const dayText = createDayText();
  const wallSeconds = (ms: number): number => Math.floor((ms + offsetAt(ms)) / 1000);
  return {
    zone,
    text: (ms) => {
      const seconds = wallSeconds(ms);
      const day = Math.floor(seconds / DAY_SECONDS);
      const second = seconds - day * DAY_SECONDS;
      const time = [second / 3600, (second / 60) % 60, second % 60].map((part) => TWO_DIGITS[Math.floor(part)]);
      return `${dayText(day)} ${time.join(':')}`;
    },
    serial: (ms) => {
      const seconds = wallSeconds(ms);
      const day = Math.floor(seconds / DAY_SECONDS);
      const serialDay = day + EPOCH_DAYS;
      if (serialDay < FIRST_DAY || serialDay > LAST_DAY) return undefined;
      const part = Math.round(((seconds - day * DAY_SECONDS) / DAY_SECONDS) * 10 ** PART_DIGITS);
      return part === 0 ? String(serialDay) : `${serialDay}.${String(part).padStart(PART_DIGITS, '0')}`;
    },
  };
}

/** Formats days since 1970-01-01. Consecutive rows are mostly from the same day. */
function createDayText(): (day: number) => string {
  const last = { day: Number.NaN, text: '' };
  return (day) => {
    if (day !== last.day) {
      last.text = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, -TIME_LENGTH);
      last.day = day;
    }
    return last.text;
  };
}
