import { SETTLEMENT } from '@hengtai/contract/money';
import { type OrderType, SPOT, orderTypes, spot, spotSides } from '@hengtai/contract/spot';
import { spotStates } from '@hengtai/contract/spot.facts';
import type { SpotRow } from '@hengtai/contract/spot.schema';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { CommandNote } from '../../ui/order-parts.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

export const spotTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'run', 2: 'good', 3: 'idle', 4: 'warn' };
/** State of an order. While it is being cancelled, also the state of the command. */
export function SpotStateTag({ row }: { row: Pick<SpotRow, 'state' | 'command'> }) {
  const { state, command } = row;
  return (
    <>
      <StateTag state={state} labels={spotStates} tones={spotTones} />
      <CommandNote doing={state === SPOT.cancelling} command={command} what="撤单指令" />
    </>
  );
}

const col = listColOf<SpotRow>()(spot.list.list.columns);
const amount = { align: 'right', width: 128 } as const;
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const money = (value: string | null) => <Money value={value} />;
const time = (value: number) => <Time value={value} />;

export const spotColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', { width: 136, render: (_value, row) => <SpotStateTag row={row} /> }),
  col('account', {
    width: 160,
    render: (value, row) => (
      <span className="sh-marked">
        {withTitle(value)}
        <WaitingMark id={row.id} />
      </span>
    ),
  }),
  col('marketName', { width: 72 }),
  col('side', { width: 80, render: (value) => <Direction side={value} labels={spotSides} /> }),
  col('type', { width: 72, render: (value) => orderTypes[value as OrderType] ?? value }),
  col('price', { ...amount, render: money }),
  col('amount', { ...amount, render: money }),
  col('filled', { ...amount, render: money }),
  col('avgPrice', { ...amount, width: 148, render: (value) => <Money value={value} rough /> }),
  col('turnover', { ...amount, width: 140, render: (value) => <Money value={value} digits={4} rough /> }),
  col('fee', { ...amount, width: 112, render: money }),
  col('feeMarket', { width: 104 }),
  col('createdAt', { width: 172, render: time }),
  col('agent', { width: 120, render: withTitle }),
  col('funds', { ...amount, width: 148, render: money }),
  col('frozen', {
    ...amount,
    width: 150,
    render: (value, row) => <Money value={value} unit={row.side === 1 ? SETTLEMENT : row.marketName} />,
  }),
  col('by', { width: 110, render: withTitle }),
  col('reason', { width: 140, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];

export const spotSums = [
  { field: 'filled', label: '已成交' },
  { field: 'turnover', label: '成交额(USDT)' },
  { field: 'feeCoin', label: '手续费(币)' },
  { field: 'feeUsdt', label: '手续费(USDT)' },
] as const;

/** The page sum is the turnover in the settlement coin. */
export const spotPageSum = {
  coin: (_row: SpotRow) => SETTLEMENT,
  value: (row: SpotRow) => row.turnover,
};
