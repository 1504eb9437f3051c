import type { Module } from '../../module.ts';
import { corporateActionEvents } from './corporate-action.events.ts';
import { ledgerEntryCheck, ledgerEntryDoubt, ledgerEntryReset } from './ledger-entry.service.ts';
import { listLedgerEntries, lastLedgerEntries } from './ledger-entry.store.ts';

export const ledgerEntryModule = {
  routes: {
    record: listLedgerEntries,
    check: ledgerEntryCheck,
    doubt: ledgerEntryDoubt,
    reset: ledgerEntryReset,
  },
  events: corporateActionEvents,
  userTables: [{ table: 'corporate_action' }],
  lastOfUser: { funds: lastLedgerEntries },
} satisfies Module<'fund'>;
