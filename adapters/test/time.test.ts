import { expect, test } from 'vitest';
import { timeOf } from '../src/shared/time.ts';

test.each([
  ['2026-03-08T14:05:09Z', 1_772_978_709_000],
  ['2026-03-08T22:05:09+08:00', 1_772_978_709_000],
  ['2024-02-29T23:59:59.999-08:00', 1_709_279_999_999],
])('%s is %d', (text, at) => expect(timeOf(text)).toBe(at));

test.each(['2026-02-31T10:00:00Z', '2026-02-29T10:00:00+08:00', '2026-13-01T10:00:00Z', 'today', ''])(
  'refuses %j',
  (text) => expect(() => timeOf(text)).toThrow(`${text} is not a time`),
);
