import { actionText } from '@hengtai/contract/house/audit/calls';
import {
  LIABILITY,
  FLOW_KINDS,
  WORK_KINDS,
  fundParts,
  liabilityStates,
  report,
  reviewQueueLabels,
  workAmountText,
} from '@hengtai/contract/desk/report/calls';
import type { FundDayRow, LiabilityRow, ReviewTimeRow, WorkRow } from '@hengtai/contract/desk/report/schema';
import { Fragment, type ReactNode } from 'react';
import { agentCell, operatorCell } from '../../../navigation/account-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { exactDuration, roughDuration } from '../../../ui/value/duration.ts';

/** The first of several amounts, and how many more there are. Hover names all of them. */
function Amounts({ all, parts: [first, ...others] }: { all: readonly string[]; parts: readonly ReactNode[] }) {
  if (first === undefined) return '--';
  return (
    <span title={all.join('\n')}>
      {first}
      {others.length > 0 && <b> +{others.length}</b>}
    </span>
  );
}

/** The length of a day, below it; nothing for ordinary days. */
const hoursStyle = {
  width: 92,
  under: 'day',
  render: (hours: number) => (hours % 24 === 0 ? '' : <span className="ht-value-faint">{hours} 小时</span>),
} as const;

const fundCol = listColOf<FundDayRow>()(report.fund.list.columns);
/** Shows zero in a faint colour to emphasize the other amounts. */
const amount = (value: string) => (value === '0' ? <span className="ht-value-faint">0</span> : <Money value={value} />);
const amountStyle = { width: 140, align: 'right', render: amount } as const;
const flowStyle = { ...amountStyle, drawer: true } as const;

/** Columns of the daily report. `drill` opens the children of an agent. */
export const fundColumns = (drill: (row: FundDayRow) => void) => [
  fundCol('day', { width: 92, fixed: 'left', locked: true }),
  fundCol('hours', hoursStyle),
  fundCol('agent', { width: 130, render: agentCell }),
  fundCol('part', {
    width: 110,
    under: 'agent',
    render: (value, row) =>
      value === 2 ? (
        fundParts[2]
      ) : (
        <button
          type="button"
          className="ht-report-drill"
          aria-label={`展开 ${row.agent} 的下级代理`}
          onClick={() => drill(row)}
        >
          {fundParts[value as 0 | 1]} ›
        </button>
      ),
  }),
  fundCol('marketName', { width: 64 }),
  fundCol('opening', { ...amountStyle, width: 134 }),
  fundCol('in', { ...amountStyle, width: 134 }),
  fundCol('out', { ...amountStyle, width: 134 }),
  fundCol('closing', { ...amountStyle, width: 134 }),
  fundCol('balanced', {
    width: 72,
    render: (value) => <StateTag state={value} labels={{ 1: '平衡', 0: '不平' }} tones={{ 1: 'good', 0: 'bad' }} />,
  }),
  ...FLOW_KINDS.flatMap((kind) => [fundCol(`${kind}In`, flowStyle), fundCol(`${kind}Out`, flowStyle)]),
  fundCol('createdAt', { width: 104, hidden: true, render: timeCell }),
];

export const fundSums = [
  { field: 'in', label: '转入合计' },
  { field: 'out', label: '转出合计' },
] as const;

const workCol = listColOf<WorkRow>()(report.work.list.columns);
const count = (value: number) =>
  value === 0 ? <span className="ht-value-faint">0</span> : value.toLocaleString('en-US');
const countStyle = { width: 104, align: 'right', render: count } as const;
const durationCell = (value: number | null) =>
  value === null ? '--' : <span title={exactDuration(value)}>{roughDuration(value)}</span>;

export const workColumns = [
  workCol('day', { width: 176, fixed: 'left', locked: true }),
  workCol('hours', hoursStyle),
  workCol('operator', { width: 140, fixed: 'left', render: agentCell }),
  workCol('decided', { ...countStyle, width: 84 }),
  workCol('median', { width: 104, align: 'right', render: durationCell }),
  workCol('p95', { width: 128, under: 'median', align: 'right', render: durationCell }),
  ...WORK_KINDS.map((kind) => workCol(kind, { ...countStyle, width: 116, drawer: true })),
  workCol('other', { ...countStyle, width: 104, drawer: true }),
  workCol('asked', { ...countStyle, width: 84 }),
  workCol('amounts', {
    width: 200,
    render: (value) => (
      <Amounts
        all={value.map(workAmountText)}
        parts={value.map(({ action, amount, marketName }) => (
          <Fragment key={action + marketName}>
            {actionText(action)} <Money value={amount} unit={marketName} />
          </Fragment>
        ))}
      />
    ),
  }),
  workCol('logins', { ...countStyle, width: 84 }),
  workCol('denied', { ...countStyle, width: 76, under: 'logins' }),
  workCol('createdAt', { width: 104, hidden: true, render: timeCell }),
];

const reviewCol = listColOf<ReviewTimeRow>()(report.reviews.list.columns);
const durationStyle = { width: 128, align: 'right', render: durationCell } as const;

export const reviewColumns = [
  reviewCol('day', { width: 120, fixed: 'left', locked: true }),
  reviewCol('hours', hoursStyle),
  reviewCol('queue', {
    width: 140,
    render: (value) => (reviewQueueLabels as Readonly<Record<string, string>>)[value] ?? value,
  }),
  reviewCol('operator', { width: 150, render: agentCell }),
  reviewCol('decided', { ...countStyle, width: 84 }),
  reviewCol('late', { ...countStyle, width: 84 }),
  reviewCol('waitP50', durationStyle),
  reviewCol('waitP90', { ...durationStyle, under: 'waitP50' }),
  reviewCol('workP50', durationStyle),
  reviewCol('workP90', { ...durationStyle, under: 'workP50' }),
  reviewCol('createdAt', { width: 104, hidden: true, render: timeCell }),
];

const liabilityCol = listColOf<LiabilityRow>()(report.liability.list.columns);
const stateTones: Readonly<Record<number, Tone>> = {
  [LIABILITY.running]: 'warn',
  [LIABILITY.done]: 'good',
  [LIABILITY.failed]: 'bad',
};

export const liabilityColumns = [
  liabilityCol('id', { width: 64, fixed: 'left', locked: true }),
  liabilityCol('state', {
    width: 112,
    render: (value, row) => (
      <>
        <StateTag state={value} labels={liabilityStates} tones={stateTones} />
        {row.state === LIABILITY.running && ` ${row.done}/${row.users}`}
      </>
    ),
  }),
  liabilityCol('at', { width: 104, render: timeCell }),
  liabilityCol('users', { width: 84, align: 'right', render: count }),
  liabilityCol('root', {
    width: 200,
    drawer: true,
    render: (value) => (value ? <Hash value={value} label="根" /> : '--'),
  }),
  liabilityCol('totals', {
    width: 220,
    render: (value) => (
      <Amounts
        all={value.map((coin) => `${coin.marketName}：负债 ${coin.amount}，账本 ${coin.ledger}`)}
        parts={value.map(({ amount, marketName }) => (
          <Money key={marketName} value={amount} unit={marketName} />
        ))}
      />
    ),
  }),
  liabilityCol('matches', {
    width: 80,
    render: (value) =>
      value === null ? (
        '--'
      ) : (
        <StateTag state={value} labels={{ 1: '相符', 0: '不符' }} tones={{ 1: 'good', 0: 'bad' }} />
      ),
  }),
  liabilityCol('entry', { width: 104, drawer: true, align: 'right', render: (value) => value ?? '--' }),
  liabilityCol('operator', { width: 130, under: 'createdAt', render: operatorCell }),
  liabilityCol('reason', { width: 200, drawer: true, render: textCell }),
  liabilityCol('createdAt', { width: 104, render: timeCell }),
  liabilityCol('updatedAt', { width: 104, hidden: true, render: timeCell }),
];
