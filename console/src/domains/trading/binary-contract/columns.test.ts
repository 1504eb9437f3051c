import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { expect, it } from 'vitest';
import { pageTotals } from '../../../ui/table/page-sums.ts';
import { endedPageSums, endedSums } from './columns.tsx';

it('sums the profit of users on a page as the totals do: a voided contract counts as zero', () => {
  const row = (profit: string | null) =>
    ({ marketName: 'BTC', amount: '10', payout: '8.5', profit }) as BinaryContractRow;
  const sumsOf = (rows: BinaryContractRow[]) => pageTotals(rows, endedSums, endedPageSums)[0]?.sums;
  expect(sumsOf([row(null), row(null)])).toEqual({ amount: '20', payout: '17', profit: '0' });
  expect(sumsOf([row(null), row('-10'), row('8.5')])).toMatchObject({ profit: '-1.5' });
});
