import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import { expect, test } from 'vitest';
import { pageTotals } from '../../../ui/table/page-sums.ts';
import { ledgerEntryPageSums, ledgerEntrySums } from './columns.tsx';

test('a page adds up what came in and what went out, as the totals do', () => {
  const rows = ['10.5', '-3', '-0.25', '0.75'].map((amount) => ({ marketName: 'USDT', amount }) as LedgerEntryRow);
  expect(pageTotals(rows, ledgerEntrySums, ledgerEntryPageSums)).toEqual([
    { coin: 'USDT', count: 4, sums: { amount: '8', in: '11.25', out: '3.25' } },
  ]);
});
