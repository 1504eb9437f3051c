import { ieo } from '@hengtai/contract/ieo';
import { ieoStates } from '@hengtai/contract/ieo.facts';
import type { IeoRow } from '@hengtai/contract/ieo.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const ieoTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'good', 2: 'idle', 3: 'idle' };

const col = listColOf<IeoRow>()(ieo.list.list.columns);
const amount = { align: 'right', width: 130 } as const;
const withTitle = (value: string | null) => <span title={value ?? undefined}>{value || '--'}</span>;
const time = (value: number | null) => <Time value={value} />;

export const ieoColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={ieoStates} tones={ieoTones} />,
  }),
  col('account', {
    width: 168,
    render: (value, row) => (
      <span className="sh-marked">
        {withTitle(value)}
        <WaitingMark id={row.id} />
      </span>
    ),
  }),
  col('marketName', { width: 96 }),
  col('amount', { ...amount, render: (value) => <Money value={value} /> }),
  col('price', { ...amount, width: 120, render: (value) => <Money value={value} /> }),
  col('pay', { ...amount, render: (value) => <Money value={value} /> }),
  col('createdAt', { width: 172, render: time }),
  col('agent', { width: 120, render: withTitle }),
  col('by', { width: 110, render: withTitle }),
  col('reviewedAt', { width: 172, render: time }),
  col('secondBy', { width: 110, render: withTitle }),
  col('reason', { width: 170, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];

/** Columns that have no content before the review. */
const DECISION_COLUMNS: readonly string[] = ['state', 'by', 'reviewedAt', 'secondBy', 'reason'];
export const reviewColumns = ieoColumns.map((column) =>
  DECISION_COLUMNS.includes(column.key) ? { ...column, hidden: true as const } : column,
);

export const ieoSums = [
  { field: 'amount', label: '认购数量' },
  { field: 'pay', label: '支付(USDT)' },
] as const;

export const ieoPageSum = {
  coin: (row: IeoRow) => row.marketName,
  value: (row: IeoRow) => row.amount,
};
export const ieoPaySum = {
  coin: () => SETTLEMENT,
  value: (row: IeoRow) => row.pay,
};
