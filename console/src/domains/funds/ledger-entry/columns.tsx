import { ledgerEntry, ledgerEntryTarget } from '@hengtai/contract/funds/ledger-entry/calls';
import { ledgerEntryStates } from '@hengtai/contract/funds/ledger-entry/facts';
import type { LedgerEntryRow } from '@hengtai/contract/funds/ledger-entry/schema';
import {
  type Bucket,
  type EntryType,
  type Platform,
  bucketLabels,
  entryLabels,
  platformLabels,
} from '@hengtai/contract/values/money';
import { targetText } from '@hengtai/contract/authority/target';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { ledgerEntryTones } from '../../../records/state-tones.ts';

/** The record that an entry belongs to. Adjustments have no page of their own; the assets of the user show them. */
function EntryTarget({ row }: { row: LedgerEntryRow }) {
  const target = ledgerEntryTarget(row);
  if (row.refType !== 'adjustment') return <TargetLink target={target} />;
  return <PageLink to={`/user?open=${row.userId}&tab=assets`}>{targetText(target)}</PageLink>;
}

const col = listColOf<LedgerEntryRow>()(ledgerEntry.record.list.columns);

export const ledgerEntryColumns = [
  col('id', { width: 80, fixed: 'left', locked: true }),
  col('account', { width: 138, render: userCell }),
  col('type', { width: 120, render: (value) => entryLabels[value as EntryType] ?? value }),
  col('bucket', { width: 84, under: 'type', render: (value) => bucketLabels[value as Bucket] ?? value }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 166, align: 'right', render: (value) => <Money value={value} showPlus /> }),
  col('balance', { width: 140, under: 'amount', align: 'right', render: moneyCell }),
  col('createdAt', { width: 104, render: timeCell }),
  col('platform', { width: 104, drawer: true, render: (value) => platformLabels[value as Platform] ?? value }),
  col('state', { width: 90, under: 'type', render: stateCell(ledgerEntryStates, ledgerEntryTones) }),
  col('refId', {
    width: 122,
    render: (_value, row) => <EntryTarget row={row} />,
  }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('operator', { width: 130, under: 'refId', render: operatorCell }),
  col('remark', { width: 160, drawer: true, render: textCell }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];
