import './withdraw.css';
import { type WithdrawRisk, withdrawRisks, withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { AUTO_REVIEWER } from '@hengtai/contract/risk/auto-payout/facts';
import { USER_FROZEN, withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { isOpenOfFrozen } from './actions.ts';
import { agentCell, operatorCell } from '../../../navigation/account-cells.tsx';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { withdrawTones } from '../../../records/state-tones.ts';

const riskText = (code: string): string => withdrawRisks[code as WithdrawRisk] ?? code;

export function Risks({ codes, none }: { codes: readonly string[]; none?: string }) {
  if (codes.length === 0) {
    return none ? (
      <span className="ht-value-risk ht-value-risk-none">{none}</span>
    ) : (
      <span className="ht-value-faint">--</span>
    );
  }
  return (
    <span className="ht-value-risks" title={codes.map(riskText).join('、')}>
      {codes.map((code) => (
        <span key={code} className="ht-value-risk">
          {riskText(code)}
        </span>
      ))}
    </span>
  );
}

const GRAVE_RISKS: readonly string[] = [
  'ledger_mismatch',
  'credential_changed',
  'related_listed',
  'shared_address',
] satisfies WithdrawRisk[];

const risksByGravity = Object.keys(withdrawRisks);
const gravityOf = (code: string): number => risksByGravity.indexOf(code);

const renderState = stateCell(withdrawStates, withdrawTones);

/** The state, and that the user is frozen, or that the system was the reviewer. */
const StateCell = ({ row }: { row: WithdrawRow }) => (
  <>
    {renderState(row.state)}
    {isOpenOfFrozen(row) ? (
      <small className="ht-table-second ht-withdraw-frozen">{USER_FROZEN}</small>
    ) : (
      row.by === AUTO_REVIEWER && <small className="ht-table-second">系统通过</small>
    )}
  </>
);

/** Points, the first rule that hit and the number of the others, which hover names. */
function RuleHits({ row: { rules, points, held } }: { row: WithdrawRow }) {
  const [first, ...others] = rules;
  if (first === undefined) return <span className="ht-value-faint">--</span>;
  return (
    <span className="ht-withdraw-rules" title={`${held ? '拦截，' : ''}${points} 分：${rules.join('、')}`}>
      {points} 分 <span>{first}</span>
      {others.length > 0 && <b className="ht-value-risk-more"> +{others.length}</b>}
    </span>
  );
}

/** The gravest risk in words and the number of the others, which hover names. */
function GravestRisk({ codes }: { codes: readonly string[] }) {
  const [first, ...others] = codes.toSorted((a, b) => gravityOf(a) - gravityOf(b));
  if (first === undefined) return <span className="ht-value-faint">--</span>;
  return (
    <span title={[first, ...others].map(riskText).join('、')}>
      <span className="ht-value-risk" data-grave={GRAVE_RISKS.includes(first)}>
        {riskText(first)}
      </span>
      {others.length > 0 && <b className="ht-value-risk-more"> +{others.length}</b>}
    </span>
  );
}

const col = listColOf<WithdrawRow>()(withdraw.list.list.columns);
const amountOptions = { align: 'right', width: 130 } as const;

/** The system is no operator whose record could be opened. */
const reviewerCell = (account: string | null) => (account === AUTO_REVIEWER ? '系统通过' : operatorCell(account));

export const withdrawColumns = [
  col('id', { width: 68, fixed: 'left', locked: true }),
  col('state', { width: 88, render: (_state, row) => <StateCell row={row} /> }),
  col('account', { width: 128, render: markedUserCell }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { ...amountOptions, render: moneyCell, width: 152 }),
  col('valuation', {
    ...amountOptions,
    render: (value) => <Money value={value} digits={2} shortened />,
    width: 130,
    under: 'amount',
  }),
  col('risk', { width: 188, render: (value) => <GravestRisk codes={value} /> }),
  col('createdAt', { width: 100, render: timeCell }),
  col('rules', { width: 160, under: 'createdAt', render: (_rules, row) => <RuleHits row={row} /> }),
  col('points', { width: 72, align: 'right', drawer: true }),
  col('address', { width: 200, under: 'risk', render: (value) => <Hash value={value} label="地址" short /> }),
  col('network', { width: 84, under: 'risk' }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('fee', { ...amountOptions, width: 110, drawer: true, render: moneyCell }),
  col('received', { ...amountOptions, render: moneyCell, width: 130, drawer: true }),
  col('txHash', {
    width: 220,
    drawer: true,
    render: (value, row) => <Hash value={value} label="交易哈希" explorer={row.explorer} />,
  }),
  col('by', { width: 130, drawer: true, render: reviewerCell }),
  col('reviewedAt', { width: 104, drawer: true, render: timeCell }),
  col('secondBy', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 160, drawer: true, render: textCell }),
  col('memo', { width: 120, hidden: true }),
  col('attempt', { width: 88, align: 'right', hidden: true }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

export const withdrawSums = [
  { field: 'amount', label: '数量' },
  { field: 'fee', label: '手续费' },
  { field: 'received', label: '到账' },
] as const;

export const withdrawAmountSum = {
  coin: (row: WithdrawRow) => row.marketName,
  value: (row: WithdrawRow) => row.amount,
};
