import { expect, test } from 'vitest';
import { isRealDate } from './real-date.ts';

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

test('has exactly the days of the calendar', () => {
  const wrong: string[] = [];
  for (const year of [1000, 1600, 1899, 1900, 1999, 2000, 2023, 2024, 2025, 2026, 2100, 2400, 9996, 9999])
    for (let month = 0; month <= 13; month += 1)
      for (let day = 0; day <= 32; day += 1) {
        const at = new Date(Date.UTC(year, month - 1, day));
        const isReal = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
        const date = `${year}-${pad(month, 2)}-${pad(day, 2)}`;
        if (isRealDate(date) !== isReal) wrong.push(date);
      }
  expect(wrong).toEqual([]);
});

test('knows the leap years', () => {
  const leap = Array.from({ length: 9000 }, (_, at) => at + 1000).filter((year) => isRealDate(`${year}-02-29`));
  expect(leap).toEqual(
    Array.from({ length: 9000 }, (_, at) => at + 1000).filter(
      (year) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0,
    ),
  );
});

test.each([
  '',
  '2026-2-1',
  '2026-02-31',
  '0001-01-01',
  '2026-02-01\n',
  '2026-02-01T00:00:00Z',
  '20260201',
  '２０２６-02-01',
])('refuses %j', (text) => expect(isRealDate(text)).toBe(false));
