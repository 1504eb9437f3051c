import type { HandlersOf } from '../../resources.ts';
import { ledgerEntryCheck, ledgerEntryDoubt, ledgerEntryReset } from './ledger-entry.service.ts';
import { listLedgerEntries } from './ledger-entry.store.ts';

export const ledgerEntryRoutes: HandlersOf<'fund'> = {
  record: listLedgerEntries,
  check: ledgerEntryCheck,
  doubt: ledgerEntryDoubt,
  reset: ledgerEntryReset,
};
