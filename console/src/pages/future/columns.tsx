import './future.css';
import { type Demo, FUTURE, closeTypes, demoLabels, future, futureSides, futureStates } from '@hengtai/contract/future';
import type { FutureCloseRow, FutureRow } from '@hengtai/contract/future.schema';
import { type OrderType, orderTypes } from '@hengtai/contract/spot';
import { WaitingMark } from '../../shell/WaitingMark.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { CommandNote, Gain } from '../../ui/order-parts.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';
import { coinOf } from './words.ts';

const tones: Readonly<Record<number, Tone>> = {
  0: 'wait',
  1: 'run',
  2: 'good',
  3: 'idle',
  4: 'bad',
  5: 'warn',
  6: 'warn',
};
const closeTones: Readonly<Record<number, Tone>> = { 1: 'idle', 2: 'good', 3: 'warn', 4: 'bad', 5: 'run' };

export function FutureStateTag({ row: { state, command } }: { row: Pick<FutureRow, 'state' | 'command'> }) {
  const doing = state === FUTURE.cancelling || state === FUTURE.closing;
  return (
    <>
      <StateTag state={state} labels={futureStates} tones={tones} />
      <CommandNote doing={doing} command={command} what={state === FUTURE.closing ? '平仓指令' : '撤单指令'} />
    </>
  );
}

/** No money is in it: it must never be taken for a real one. */
export function DemoMark({ demo }: { demo: number }) {
  return (
    <span className="fu-demo" data-demo={demo}>
      {demoLabels[demo as Demo] ?? demo}
    </span>
  );
}

/** A margin ratio in percent; at 100 it is liquidated. */
export function Ratio({ value }: { value: string | null }) {
  const near = value !== null && Number(value) < 150;
  return (
    <span className="fu-ratio" data-near={near} title={near ? '临近强平（100% 强平）' : undefined}>
      {near && <span aria-hidden>⚠ </span>}
      <Money value={value} digits={2} rough />
    </span>
  );
}

export const CloseTypeTag = ({ type }: { type: number | null }) =>
  type === null ? '--' : <StateTag state={type} labels={closeTypes} tones={closeTones} />;

const amount = { align: 'right', width: 128 } as const;
const titled = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const money = (value: string | null) => <Money value={value} />;
const price = (value: string | null) => <Money value={value} digits={8} rough />;
const gain = (value: string | null) => <Gain value={value} />;
const time = (value: number | null) => <Time value={value} />;
const side = (value: number) => <Direction side={value} labels={futureSides} />;
const demo = (value: number) => <DemoMark demo={value} />;
const times = (value: number) => `${value}×`;
const typed = (value: number) => orderTypes[value as OrderType] ?? value;
const marked = (value: string, row: { id: number }) => (
  <span className="sh-marked">
    {titled(value)}
    <WaitingMark id={row.id} />
  </span>
);

const col = listColOf<FutureRow>()(future.list.list.columns);

/** Everything that is alive; each page shows what belongs to its stage. */
export const futureColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', { width: 136, render: (_value, row) => <FutureStateTag row={row} /> }),
  col('demo', { width: 96, render: demo }),
  col('account', { width: 150, render: marked }),
  col('marketName', { width: 72 }),
  col('side', { width: 80, render: side }),
  col('leverage', { width: 72, align: 'right', render: times }),
  col('type', { width: 72, render: typed }),
  col('price', { ...amount, render: money }),
  col('amount', { ...amount, render: money }),
  col('closeAmount', { ...amount, render: money }),
  col('left', { ...amount, render: money }),
  col('openPrice', { ...amount, render: price }),
  col('markPrice', { ...amount, render: price }),
  col('notional', { ...amount, width: 140, render: (value) => <Money value={value} digits={4} rough /> }),
  col('held', { ...amount, width: 148, render: (value) => <Money value={value} digits={4} rough /> }),
  col('margin', { ...amount, width: 148, render: (value) => <Money value={value} digits={4} rough /> }),
  col('unrealized', { ...amount, width: 148, render: gain }),
  col('roe', { ...amount, width: 100, render: (value) => <Gain value={value} digits={2} /> }),
  col('marginRatio', { ...amount, width: 112, render: (value) => <Ratio value={value} /> }),
  col('liquidationPrice', { ...amount, render: price }),
  col('realized', { ...amount, width: 148, render: gain }),
  col('fee', { ...amount, width: 120, render: money }),
  col('funding', { ...amount, width: 136, render: gain }),
  col('takeProfit', { ...amount, render: price }),
  col('stopLoss', { ...amount, render: price }),
  col('closing', { ...amount, width: 112, render: money }),
  col('createdAt', { width: 172, render: time }),
  col('openedAt', { width: 172, render: time }),
  col('by', { width: 110, render: titled }),
  col('reason', { width: 140, render: titled }),
  col('agent', { width: 120, render: titled }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];

const without = (fields: readonly string[]) =>
  futureColumns.map((column) => (fields.includes(column.key) ? { ...column, hidden: true as const } : column));

/** What is not open yet has neither a result nor a risk. */
export const waitColumns = without([
  'left',
  'closeAmount',
  'openPrice',
  'notional',
  'margin',
  'unrealized',
  'roe',
  'marginRatio',
  'liquidationPrice',
  'realized',
  'fee',
  'funding',
  'closing',
  'openedAt',
]);
const HEAD = ['id', 'state', 'demo', 'account', 'marketName', 'side', 'leverage'];
/** How it stands and how near it is to liquidation comes first; the rest as in the list. */
const FIRST = ['left', 'openPrice', 'markPrice', 'unrealized', 'roe', 'marginRatio', 'liquidationPrice'];
const rank = ({ key }: { key: string }): number => {
  const at = FIRST.indexOf(key);
  return at < 0 ? (HEAD.includes(key) ? -1 : FIRST.length) : at;
};
export const openColumns = without([
  'type',
  'price',
  'amount',
  'closeAmount',
  'margin',
  'closing',
  'createdAt',
]).toSorted((a, b) => rank(a) - rank(b));

const ended = listColOf<FutureRow>()(future.openHistory.list.columns);

export const endedColumns = [
  ended('id', { width: 84, fixed: 'left', locked: true }),
  ended('state', { width: 100, render: (_value, row) => <FutureStateTag row={row} /> }),
  ended('demo', { width: 92, render: demo }),
  ended('account', { width: 150, render: titled }),
  ended('marketName', { width: 72 }),
  ended('side', { width: 80, render: side }),
  ended('leverage', { width: 72, align: 'right', render: times }),
  ended('type', { width: 72, render: typed }),
  ended('price', { ...amount, render: money }),
  ended('amount', { ...amount, render: money }),
  ended('closeAmount', { ...amount, render: money }),
  ended('openPrice', { ...amount, render: price }),
  ended('closePrice', { ...amount, render: price }),
  ended('margin', { ...amount, width: 148, render: (value) => <Money value={value} digits={4} rough /> }),
  ended('realized', { ...amount, width: 148, render: gain }),
  ended('roe', { ...amount, width: 100, render: (value) => <Gain value={value} digits={2} /> }),
  ended('fee', { ...amount, width: 120, render: money }),
  ended('funding', { ...amount, width: 136, render: gain }),
  ended('insured', { ...amount, width: 148, render: money }),
  ended('closeType', { width: 100, render: (value) => <CloseTypeTag type={value} /> }),
  ended('createdAt', { width: 172, render: time }),
  ended('openedAt', { width: 172, render: time }),
  ended('endedAt', { width: 172, render: time }),
  ended('by', { width: 110, render: titled }),
  ended('reason', { width: 140, render: titled }),
  ended('agent', { width: 120, render: titled }),
  ended('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  ended('userId', { width: 96, hidden: true }),
  ended('updatedAt', { width: 172, hidden: true, render: time }),
];

const closed = listColOf<FutureCloseRow>()(future.closeHistory.list.columns);

export const closeColumns = [
  closed('id', { width: 84, fixed: 'left', locked: true }),
  closed('orderId', { width: 112 }),
  closed('demo', { width: 92, render: demo }),
  closed('account', { width: 150, render: titled }),
  closed('marketName', { width: 72 }),
  closed('side', { width: 80, render: side }),
  closed('leverage', { width: 72, align: 'right', render: times }),
  closed('closeType', { width: 100, render: (value) => <CloseTypeTag type={value} /> }),
  closed('closeAmount', { ...amount, render: money }),
  closed('openPrice', { ...amount, render: price }),
  closed('closePrice', { ...amount, render: price }),
  closed('realized', { ...amount, width: 148, render: gain }),
  closed('roe', { ...amount, width: 100, render: (value) => <Gain value={value} digits={2} /> }),
  closed('released', { ...amount, width: 148, render: (value) => <Money value={value} digits={4} rough /> }),
  closed('fee', { ...amount, width: 120, render: money }),
  closed('insured', { ...amount, width: 148, render: money }),
  closed('createdAt', { width: 172, render: time }),
  closed('agent', { width: 120, render: titled }),
  closed('closeNo', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平仓单号" /> }),
  closed('userId', { width: 96, hidden: true }),
];

const paid = [
  { field: 'realized', label: '已实现盈亏' },
  { field: 'fee', label: '手续费' },
] as const;
const funding = { field: 'funding', label: '资金费用' } as const;
const insured = { field: 'insured', label: '准备金承担' } as const;

export const waitSums = [{ field: 'held', label: '占用保证金' }] as const;
export const openSums = [
  { field: 'notional', label: '名义价值' },
  { field: 'held', label: '占用保证金' },
  { field: 'unrealized', label: '未实现盈亏' },
  ...paid,
  funding,
] as const;
export const endedSums = [{ field: 'margin', label: '投入保证金' }, ...paid, funding, insured] as const;
export const closeSums = [...paid, insured] as const;

export const heldSum = { coin: coinOf, value: ({ held }: FutureRow) => held };
export const endedSum = { coin: coinOf, value: ({ realized }: FutureRow) => realized };
export const closeSum = { coin: coinOf, value: ({ realized }: FutureCloseRow) => realized };
