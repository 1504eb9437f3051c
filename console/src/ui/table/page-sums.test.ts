import { expect, it } from 'vitest';
import { pageTotals } from './page-sums.ts';

it('sums per coin, and leaves a sum of unknown amounts unknown', () => {
  const rows = [
    { marketName: 'BTC', amount: '0.1' },
    { marketName: 'XYZ', amount: null },
    { marketName: 'BTC', amount: '0.2' },
  ];
  expect(pageTotals(rows, [{ field: 'amount', label: '数量' }], {})).toEqual([
    { coin: 'BTC', count: 2, sums: { amount: '0.3' } },
    { coin: 'XYZ', count: 1, sums: { amount: null } },
  ]);
});
