import { expect, test } from 'vitest';
import type { ChartColours } from './chart-colours.ts';
import { durationScale, inOutSeries, lineSeries, roughNumber, signedSeries } from './chart-option.ts';

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

const COLOURS = { up: '#0a0', down: '#a00', surface: '#fff' } as ChartColours;

test('money out and losses are outlined, so that they differ from money in and gains without colour', () => {
  const [inflow, outflow] = inOutSeries(COLOURS, ['5', '0'], ['3.5', '0']);
  expect(inflow).toMatchObject({ data: [5, 0], itemStyle: { color: '#0a0' } });
  expect(outflow).toMatchObject({ data: [3.5, null], itemStyle: { color: '#fff', borderColor: '#a00' } });
  expect(signedSeries(COLOURS, ['2', '-1', '0']).data).toMatchObject([
    { value: 2, itemStyle: { color: '#0a0' } },
    { value: -1, itemStyle: { color: '#fff', borderColor: '#a00' } },
    { value: null },
  ]);
  expect(lineSeries('#00a', [1, null], true).lineStyle).toMatchObject({ type: 'dashed', width: 1.5 });
});
