import { transferStates } from '@hengtai/contract/internal-transfer';
import type { TransferRow } from '@hengtai/contract/internal-transfer.schema';
import { type Platform, platformLabels } from '@hengtai/contract/money';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';

const tones: Readonly<Record<number, Tone>> = { 1: 'good', 2: 'bad' };

const col = colOf<TransferRow>();
const titled = (value: string) => <span title={value}>{value || '--'}</span>;
const platform = (value: number) => platformLabels[value as Platform] ?? value;

export const transferColumns = [
  col('id', { title: '编号', width: 84, fixed: 'left', locked: true }),
  col('account', { title: '转出账号', width: 150, render: titled }),
  col('toAccount', { title: '转入账号', width: 150, render: titled }),
  col('marketName', { title: '币种', width: 72 }),
  col('amount', { title: '数量', width: 130, align: 'right', render: (value) => <Money value={value} /> }),
  col('createdAt', { title: '时间', width: 172, render: (value) => <Time value={value} /> }),
  col('platform', { title: '转出账户', width: 104, render: platform }),
  col('toPlatform', { title: '转入账户', width: 104, render: platform }),
  col('state', {
    title: '状态',
    width: 84,
    render: (value) => <StateTag state={value} labels={transferStates} tones={tones} />,
  }),
  col('agent', { title: '转出方代理', width: 120, render: titled }),
  col('no', { title: '平台单号', width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { title: '转出用户编号', width: 110, hidden: true }),
  col('toUserId', { title: '转入用户编号', width: 110, hidden: true }),
];

export const transferSums = [{ field: 'amount', label: '数量' }] as const;

export const transferPageSum = {
  coin: (row: TransferRow) => row.marketName,
  value: (row: TransferRow) => row.amount,
};
