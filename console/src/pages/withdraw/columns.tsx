import { type WithdrawRisk, withdrawRisks, withdrawStates } from '@hengtai/contract/withdraw';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';

export const withdrawTones: Readonly<Record<number, Tone>> = {
  0: 'wait',
  1: 'wait',
  2: 'run',
  3: 'run',
  4: 'good',
  5: 'idle',
  6: 'idle',
  7: 'bad',
  8: 'warn',
  9: 'idle',
};

export const riskText = (code: string): string => withdrawRisks[code as WithdrawRisk] ?? code;

export function Risks({ codes, none }: { codes: readonly string[]; none?: string }) {
  if (codes.length === 0) {
    return none ? <span className="ht-risk ht-risk-none">{none}</span> : <span className="ht-faint">--</span>;
  }
  return (
    <span className="ht-risks" title={codes.map(riskText).join('、')}>
      {codes.map((code) => (
        <span key={code} className="ht-risk">
          {riskText(code)}
        </span>
      ))}
    </span>
  );
}

const col = colOf<WithdrawRow>();
const amount = { align: 'right', width: 130 } as const;
const titled = (value: string) => <span title={value}>{value || '--'}</span>;

export const withdrawColumns = [
  col('id', { title: '编号', width: 84, fixed: 'left', locked: true }),
  col('state', {
    title: '状态',
    width: 96,
    render: (value) => <StateTag state={value} labels={withdrawStates} tones={withdrawTones} />,
  }),
  col('account', { title: '账号', width: 150, render: titled }),
  col('marketName', { title: '币种', width: 72 }),
  col('amount', { ...amount, title: '数量', render: (value) => <Money value={value} /> }),
  col('valuation', {
    ...amount,
    title: '估值(USDT)',
    render: (value) => <Money value={value} digits={2} rough />,
  }),
  col('risk', { title: '风险', width: 150, render: (value) => <Risks codes={value} /> }),
  col('createdAt', { title: '申请时间', width: 172, render: (value) => <Time value={value} /> }),
  col('address', { title: '地址', width: 210, render: (value) => <Hash value={value} what="地址" /> }),
  col('network', { title: '网络', width: 84 }),
  col('agent', { title: '所属代理', width: 120, render: titled }),
  col('fee', { ...amount, width: 100, title: '手续费', render: (value) => <Money value={value} /> }),
  col('received', { ...amount, title: '到账数量', render: (value) => <Money value={value} /> }),
  col('txHash', {
    title: '交易哈希',
    width: 230,
    render: (value, row) => <Hash value={value} what="交易哈希" explorer={row.explorer} />,
  }),
  col('by', { title: '审核人', width: 110 }),
  col('reviewedAt', { title: '审核时间', width: 172, render: (value) => <Time value={value} /> }),
  col('secondBy', { title: '复核人', width: 110 }),
  col('reason', { title: '原因', width: 160, render: titled }),
  col('memo', { title: '标签(Memo)', width: 120, hidden: true }),
  col('attempt', { title: '打款次数', width: 88, align: 'right', hidden: true }),
  col('no', { title: '平台单号', width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { title: '用户编号', width: 96, hidden: true }),
  col('updatedAt', { title: '更新时间', width: 172, hidden: true, render: (value) => <Time value={value} /> }),
];

export const withdrawSums = [
  { field: 'amount', label: '数量' },
  { field: 'fee', label: '手续费' },
  { field: 'received', label: '到账' },
] as const;

export const withdrawPageSum = {
  coin: (row: WithdrawRow) => row.marketName,
  value: (row: WithdrawRow) => row.amount,
};
