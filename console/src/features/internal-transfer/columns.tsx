import { internalTransfer } from '@hengtai/contract/internal-transfer';
import { transferStates } from '@hengtai/contract/internal-transfer.facts';
import type { TransferRow } from '@hengtai/contract/internal-transfer.schema';
import { type Platform, platformLabels } from '@hengtai/contract/money';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

const tones: Readonly<Record<number, Tone>> = { 1: 'good', 2: 'bad' };

const col = listColOf<TransferRow>()(internalTransfer.list.list.columns);
const withTitle = (value: string) => <span title={value}>{value || '--'}</span>;
const platform = (value: number) => platformLabels[value as Platform] ?? value;

export const transferColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('account', { width: 150, render: withTitle }),
  col('toAccount', { width: 150, render: withTitle }),
  col('marketName', { width: 72 }),
  col('amount', { width: 130, align: 'right', render: (value) => <Money value={value} /> }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('platform', { width: 104, render: platform }),
  col('toPlatform', { width: 104, render: platform }),
  col('state', {
    width: 84,
    render: (value) => <StateTag state={value} labels={transferStates} tones={tones} />,
  }),
  col('agent', { width: 120, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 110, hidden: true }),
  col('toUserId', { width: 110, hidden: true }),
];

export const transferSums = [{ field: 'amount', label: '数量' }] as const;

export const transferPageSum = {
  coin: (row: TransferRow) => row.marketName,
  value: (row: TransferRow) => row.amount,
};
