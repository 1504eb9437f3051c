import { expect, test } from 'vitest';
import { exactDuration, roughDuration } from './duration.ts';

test.each([
  [0, '0秒', '0秒'],
  [7, '0.007秒', '0秒'],
  [59_999, '59.999秒', '59秒'],
  [60_000, '1分', '1分'],
  [61_500, '1分1.5秒', '1分1秒'],
  [3_723_004, '1小时2分3.004秒', '1小时2分'],
  [3_600_001, '1小时0.001秒', '1小时'],
  [183_600_000, '2天3小时', '2天3小时'],
  [86_460_000, '1天1分', '1天'],
])('formats %d ms', (ms, exact, rough) => {
  expect([exactDuration(ms), roughDuration(ms)]).toEqual([exact, rough]);
});
