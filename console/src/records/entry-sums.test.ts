import { expect, test } from 'vitest';
import { pageTotals } from '../ui/table/page-sums.ts';
import { entryPageSums, entrySums } from './entry-sums.ts';

test('a page adds up what came in and what went out, as the totals do', () => {
  const rows = ['10.5', '-3', '-0.25', '0.75'].map((amount) => ({ marketName: 'USDT', amount }));
  expect(pageTotals(rows, entrySums, entryPageSums)).toEqual([
    { coin: 'USDT', count: 4, sums: { amount: '8', in: '11.25', out: '3.25' } },
  ]);
});
