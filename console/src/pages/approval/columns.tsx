import { approvalStates } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';
import { placeOf } from './deeds.ts';

export const approvalTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'good', 2: 'idle', 3: 'idle', 4: 'bad' };

const col = colOf<ApprovalRow>();
const titled = (value: string | null) => <span title={value ?? undefined}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const approvalColumns = [
  col('id', { title: '编号', width: 84, fixed: 'left', locked: true }),
  col('state', {
    title: '状态',
    width: 100,
    render: (value) => <StateTag state={value} labels={approvalStates} tones={approvalTones} />,
  }),
  col('title', { title: '操作', width: 120, render: titled }),
  col('targetId', { title: '对象', width: 110, render: (_, row) => titled(placeOf(row).text) }),
  col('account', { title: '账号', width: 150, render: titled }),
  col('amount', {
    title: '金额(USDT)',
    width: 130,
    align: 'right',
    render: (value) => <Money value={value} digits={2} rough />,
  }),
  col('maker', { title: '提交人', width: 120, render: titled }),
  col('reason', { title: '原因', width: 170, render: titled }),
  col('createdAt', { title: '提交时间', width: 172, render: time }),
  col('expiresAt', { title: '过期时间', width: 172, render: time }),
  col('checker', { title: '复核人', width: 120, render: titled }),
  col('answer', { title: '复核意见', width: 170, render: titled }),
  col('decidedAt', { title: '复核时间', width: 172, render: time }),
  col('agent', { title: '所属代理', width: 120, hidden: true, render: titled }),
  col('userId', { title: '用户编号', width: 96, hidden: true }),
];
