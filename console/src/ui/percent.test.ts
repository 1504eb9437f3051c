import { expect, test } from 'vitest';
import { ratioToPercent } from './percent.ts';

test.each([
  ['0.001', '0.1'],
  ['0.005', '0.5'],
  ['1', '100'],
  ['0.5', '50'],
  ['0', '0'],
  ['12.34', '1234'],
  ['0.000000000000000001', '0.0000000000000001'],
  ['-0.0025', '-0.25'],
])('%s is %s %%', (ratio, percent) => {
  expect(ratioToPercent(ratio)).toBe(percent);
});
