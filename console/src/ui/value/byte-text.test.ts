import { expect, test } from 'vitest';
import { byteText } from './byte-text.ts';

test('formats bytes in the largest fitting unit', () => {
  expect([0, 1, 1024, 1025, 1024 ** 2, 5.25 * 1024 ** 2, 1024 ** 3].map(byteText)).toEqual([
    '0 KB',
    '1 KB',
    '1 KB',
    '2 KB',
    '1.0 MB',
    '5.3 MB',
    '1.0 GB',
  ]);
});
