import { rechargeSources, recharge } from '@hengtai/contract/recharge';
import { rechargeStates } from '@hengtai/contract/recharge.facts';
import type { RechargeRow } from '@hengtai/contract/recharge.schema';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const rechargeTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'good', 2: 'idle', 3: 'warn', 4: 'bad' };

const col = listColOf<RechargeRow>()(recharge.list.list.columns);
const withTitle = (value: string) => <span title={value}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const rechargeColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={rechargeStates} tones={rechargeTones} />,
  }),
  col('account', { width: 150, render: withTitle }),
  col('marketName', { width: 72 }),
  col('amount', { width: 130, align: 'right', render: (value) => <Money value={value} /> }),
  col('confirmations', { width: 84, align: 'right' }),
  col('createdAt', { width: 172, render: time }),
  col('network', { width: 84 }),
  col('txHash', {
    width: 230,
    render: (value, row) => <Hash value={value} what="交易哈希" explorer={row.explorer} />,
  }),
  col('address', { width: 210, render: (value) => <Hash value={value} what="地址" /> }),
  col('agent', { width: 120, render: withTitle }),
  col('source', { width: 72, render: (value) => rechargeSources[value === 2 ? 2 : 1] }),
  col('arrivedAt', { width: 172, render: time }),
  col('creditedAt', { width: 172, render: time }),
  col('remark', { width: 160, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];

export const rechargeSums = [{ field: 'amount', label: '数量' }] as const;

export const rechargePageSum = {
  coin: (row: RechargeRow) => row.marketName,
  value: (row: RechargeRow) => row.amount,
};
