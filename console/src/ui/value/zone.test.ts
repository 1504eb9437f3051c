import { describe, expect, it } from 'vitest';
import { addDays, dayText, endOfDay, formatTime, offsetText, presetNames, presetRange, startOfDay } from './zone.ts';

const SHANGHAI = 'Asia/Shanghai';
const NEW_YORK = 'America/New_York';
const now = Date.UTC(2026, 2, 7, 17, 30, 5); // 2026-03-08 01:30:05 in Shanghai

describe('days in a zone', () => {
  it('formats times in the zone', () => {
    expect(formatTime(now, SHANGHAI)).toBe('2026-03-08 01:30:05');
    expect(formatTime(Date.UTC(2026, 0, 1, 16), SHANGHAI)).toBe('2026-01-02 00:00:00');
  });
  it('starts and ends days at midnight of the zone', () => {
    const day = { year: 2026, month: 3, day: 8 };
    expect(formatTime(startOfDay(day, SHANGHAI), SHANGHAI)).toBe('2026-03-08 00:00:00');
    expect(formatTime(endOfDay(day, SHANGHAI), SHANGHAI)).toBe('2026-03-08 23:59:59');
  });
  it('handles days of 23 and 25 hours', () => {
    const hours = (month: number, day: number) => {
      const d = { year: 2026, month, day };
      return (endOfDay(d, NEW_YORK) + 1 - startOfDay(d, NEW_YORK)) / 3_600_000;
    };
    expect([hours(3, 8), hours(7, 1), hours(11, 1)]).toEqual([23, 24, 25]);
  });
  it.each([
    // Midnight is skipped.
    ['America/Havana', 2026, 3, 8, '01:00:00'],
    ['America/Santiago', 2026, 9, 6, '01:00:00'],
    ['Atlantic/Azores', 2026, 3, 29, '01:00:00'],
    // Midnight comes twice, or the day before has an hour twice.
    ['America/Havana', 2026, 11, 1, '00:00:00'],
    ['Atlantic/Azores', 2026, 10, 25, '00:00:00'],
    ['America/Santiago', 2026, 4, 5, '00:00:00'],
  ])('in %s %d-%d-%d begins at its first instant, %s', (zone, year, month, day, clock) => {
    const date = { year, month, day };
    const start = startOfDay(date, zone);
    expect(formatTime(start, zone)).toBe(`${dayText(date)} ${clock}`);
    expect(formatTime(start - 1, zone).slice(0, 10)).toBe(dayText(addDays(date, -1)));
  });
  it('formats the offset', () => {
    expect(offsetText(now, SHANGHAI)).toBe('UTC+8');
    expect(offsetText(now, 'Asia/Kolkata')).toBe('UTC+5:30');
    expect(offsetText(now, NEW_YORK)).toBe('UTC-5');
  });
});

describe('presets', () => {
  const daysOf = (name: string) => {
    const { from, to } = presetRange(name, now, SHANGHAI);
    return [from, to].map((ms) => formatTime(ms, SHANGHAI).slice(0, 10));
  };
  it('end at the last millisecond of a day', () => {
    for (const name of presetNames)
      expect(formatTime(presetRange(name, now, SHANGHAI).to, SHANGHAI)).toMatch(/23:59:59$/);
  });
  it.each([
    ['今天', '2026-03-08', '2026-03-08'],
    ['昨天', '2026-03-07', '2026-03-07'],
    ['近7天', '2026-03-02', '2026-03-08'],
    ['近30天', '2026-02-07', '2026-03-08'],
    ['本月', '2026-03-01', '2026-03-08'],
    ['上月', '2026-02-01', '2026-02-28'],
  ])('%s covers the right days', (name, first, last) => expect(daysOf(name)).toEqual([first, last]));
  it('formats days with leading zeros', () => expect(dayText({ year: 2026, month: 3, day: 8 })).toBe('2026-03-08'));
});
