import { expect, test } from 'vitest';
import { dateText, parseDate } from './dates.ts';

test('reads a date and writes it again', () => {
  const at = parseDate('2024-02-29');
  expect(at === undefined ? undefined : dateText(at)).toBe('2024-02-29');
});

test.each(['2026-02-31', '2026-02-29', '2026-1-1', ''])('refuses %j', (text) =>
  expect(parseDate(text)).toBeUndefined(),
);
