import { rechargeSources, rechargeStates } from '@hengtai/contract/recharge';
import type { RechargeRow } from '@hengtai/contract/recharge.schema';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';

export const rechargeTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'good', 2: 'idle', 3: 'warn', 4: 'bad' };

const col = colOf<RechargeRow>();
const titled = (value: string) => <span title={value}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const rechargeColumns = [
  col('id', { title: '编号', width: 84, fixed: 'left', locked: true }),
  col('state', {
    title: '状态',
    width: 96,
    render: (value) => <StateTag state={value} labels={rechargeStates} tones={rechargeTones} />,
  }),
  col('account', { title: '账号', width: 150, render: titled }),
  col('marketName', { title: '币种', width: 72 }),
  col('amount', { title: '数量', width: 130, align: 'right', render: (value) => <Money value={value} /> }),
  col('confirmations', { title: '确认数', width: 84, align: 'right' }),
  col('createdAt', { title: '时间', width: 172, render: time }),
  col('network', { title: '网络', width: 84 }),
  col('txHash', {
    title: '交易哈希',
    width: 230,
    render: (value, row) => <Hash value={value} what="交易哈希" explorer={row.explorer} />,
  }),
  col('address', { title: '地址', width: 210, render: (value) => <Hash value={value} what="地址" /> }),
  col('agent', { title: '所属代理', width: 120, render: titled }),
  col('source', { title: '来源', width: 72, render: (value) => rechargeSources[value === 2 ? 2 : 1] }),
  col('arrivedAt', { title: '平台到账', width: 172, render: time }),
  col('creditedAt', { title: '入账时间', width: 172, render: time }),
  col('remark', { title: '备注', width: 160, render: titled }),
  col('no', { title: '平台单号', width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { title: '用户编号', width: 96, hidden: true }),
  col('updatedAt', { title: '更新时间', width: 172, hidden: true, render: time }),
];

export const rechargeSums = [{ field: 'amount', label: '数量' }] as const;

export const rechargePageSum = {
  coin: (row: RechargeRow) => row.marketName,
  value: (row: RechargeRow) => row.amount,
};
