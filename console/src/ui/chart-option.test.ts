import { expect, test } from 'vitest';
import { durationScale, roughNumber } from './chart-option.ts';

test.each([
  [0, '0'],
  [950, '950'],
  [12_345, '1.23万'],
  [-50_000, '-5万'],
  [250_000_000, '2.5亿'],
  [3e12, '3万亿'],
])('formats %d as %s', (value, text) => {
  expect(roughNumber(value)).toBe(text);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [0, 1000, 1000],
  [3_500, 1000, 4000],
  [50 * MINUTE, 20 * MINUTE, HOUR],
  [5 * HOUR, 2 * HOUR, 6 * HOUR],
  [30 * 24 * HOUR, 8 * 24 * HOUR, 32 * 24 * HOUR],
])('uses round time steps for %d ms', (longest, interval, max) => {
  expect(durationScale(longest)).toEqual({ interval, max });
});
