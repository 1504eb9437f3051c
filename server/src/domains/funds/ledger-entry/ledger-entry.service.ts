import type { ActionInput } from '@hengtai/contract/wire/schema';
import {
  type LedgerEntryAction,
  ledgerEntry as calls,
  ledgerEntryActionStates,
} from '@hengtai/contract/funds/ledger-entry/calls';
import { ledgerEntryStates, LEDGER_ENTRY_CHECK } from '@hengtai/contract/funds/ledger-entry/facts';
import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import { type Action, defineAction } from '../../../actions/action.ts';
import { noEffect } from '../../../actions/setting.ts';
import { recordSubject } from '../../../actions/action-audit.ts';
import { requireFound, refuseState } from '../../../app/refuse.ts';
import { findLedgerEntry, markLedgerEntry } from './ledger-entry.store.ts';

const subjectOf = recordSubject('fund');

type LedgerEntryRecord = NonNullable<Awaited<ReturnType<typeof findLedgerEntry>>>;

const recordOf = (entry: LedgerEntryRecord) => {
  const { agentId: _agentId, ...data } = entry;
  return { data, subject: subjectOf(entry) };
};

export const ledgerEntryCheck = defineLedgerEntryAction('check', calls.check, LEDGER_ENTRY_CHECK.checked);
export const ledgerEntryDoubt = defineLedgerEntryAction('doubt', calls.doubt, LEDGER_ENTRY_CHECK.doubtful);
export const ledgerEntryReset = defineLedgerEntryAction('reset', calls.reset, LEDGER_ENTRY_CHECK.open);

/** Sets the reconciliation state in a side table; the append-only entry is not changed. */
function defineLedgerEntryAction(
  name: LedgerEntryAction,
  call: Action<ActionInput, LedgerEntryRow, LedgerEntryRecord>['call'],
  to: number,
) {
  return defineAction<ActionInput, LedgerEntryRow, LedgerEntryRecord>({
    call,
    load: (ctx, { id }) => findLedgerEntry(ctx, id),
    check: (_ctx, target) => {
      if (!ledgerEntryActionStates[name].some((state) => state === target.state))
        throw refuseState(ledgerEntryStates, target);
    },
    setting: { record: recordOf, isSet: (target) => target.state === to },
    execute: async (ctx, _input, target) => {
      const mark = { id: target.id, from: ledgerEntryActionStates[name], to };
      const marked = await markLedgerEntry(ctx.db, { ...mark, operatorId: ctx.operator.id, now: ctx.now });
      const after = requireFound(await findLedgerEntry(ctx, target.id));
      if (!marked && after.state === to) return noEffect(recordOf(after));
      if (!marked) throw refuseState(ledgerEntryStates, after);
      return { ...recordOf(after), before: { state: target.state }, after: { state: after.state } };
    },
  });
}
