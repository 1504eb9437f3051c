import type { Module } from '../module.ts';
import { ledgerEntryCheck, ledgerEntryDoubt, ledgerEntryReset } from './ledger-entry.service.ts';
import { listLedgerEntries } from './ledger-entry.store.ts';

export const ledgerEntryModule = {
  routes: {
    record: listLedgerEntries,
    check: ledgerEntryCheck,
    doubt: ledgerEntryDoubt,
    reset: ledgerEntryReset,
  },
} satisfies Module<'fund'>;
