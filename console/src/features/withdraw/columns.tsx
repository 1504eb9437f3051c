import { type WithdrawRisk, withdrawRisks, withdraw } from '@hengtai/contract/withdraw';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

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

const col = listColOf<WithdrawRow>()(withdraw.list.list.columns);
const amount = { align: 'right', width: 130 } as const;
const renderWithTitle = (value: string) => <span title={value}>{value || '--'}</span>;

export const withdrawColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={withdrawStates} tones={withdrawTones} />,
  }),
  col('account', {
    width: 168,
    render: (value, row) => (
      <span className="sh-marked">
        {renderWithTitle(value)}
        <WaitingMark id={row.id} />
      </span>
    ),
  }),
  col('marketName', { width: 72 }),
  col('amount', { ...amount, render: (value) => <Money value={value} /> }),
  col('valuation', {
    ...amount,
    render: (value) => <Money value={value} digits={2} rough />,
  }),
  col('risk', { width: 150, render: (value) => <Risks codes={value} /> }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('address', { width: 210, render: (value) => <Hash value={value} what="地址" /> }),
  col('network', { width: 84 }),
  col('agent', { width: 120, render: renderWithTitle }),
  col('fee', { ...amount, width: 100, render: (value) => <Money value={value} /> }),
  col('received', { ...amount, render: (value) => <Money value={value} /> }),
  col('txHash', {
    width: 230,
    render: (value, row) => <Hash value={value} what="交易哈希" explorer={row.explorer} />,
  }),
  col('by', { width: 110 }),
  col('reviewedAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('secondBy', { width: 110 }),
  col('reason', { width: 160, render: renderWithTitle }),
  col('memo', { width: 120, hidden: true }),
  col('attempt', { width: 88, align: 'right', hidden: true }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
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
