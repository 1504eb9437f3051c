import { ledgerEntry, ledgerEntryTarget } from '@hengtai/contract/ledger-entry';
import { ledgerEntryStates } from '@hengtai/contract/ledger-entry.facts';
import type { LedgerEntryRow } from '@hengtai/contract/ledger-entry.schema';
import {
  type Bucket,
  type EntryType,
  type Platform,
  bucketLabels,
  entryLabels,
  platformLabels,
} from '@hengtai/contract/money';
import { TargetLink } from '../../navigation/TargetLink.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

const tones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'good', 2: 'warn' };

const col = listColOf<LedgerEntryRow>()(ledgerEntry.record.list.columns);
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;

export const ledgerEntryColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('account', { width: 150, render: withTitle }),
  col('type', { width: 110, render: (value) => entryLabels[value as EntryType] ?? value }),
  col('bucket', { width: 84, render: (value) => bucketLabels[value as Bucket] ?? value }),
  col('marketName', { width: 72 }),
  col('amount', { width: 140, align: 'right', render: (value) => <Money value={value} sign /> }),
  col('balance', { width: 140, align: 'right', render: (value) => <Money value={value} /> }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('platform', { width: 104, render: (value) => platformLabels[value as Platform] ?? value }),
  col('state', {
    width: 90,
    render: (value) => <StateTag state={value} labels={ledgerEntryStates} tones={tones} />,
  }),
  col('refId', {
    width: 130,
    render: (_value, row) => <TargetLink target={ledgerEntryTarget(row)} />,
  }),
  col('agent', { width: 120, render: withTitle }),
  col('operator', { width: 110, render: withTitle }),
  col('remark', { width: 160, render: withTitle }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
];

export const ledgerEntrySums = [{ field: 'amount', label: '净变动' }] as const;
