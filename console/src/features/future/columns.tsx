import './future.css';
import { type Demo, FUTURE, closeTypes, demoLabels, future, futureSides } from '@hengtai/contract/future';
import { futureStates } from '@hengtai/contract/future.facts';
import type { FutureCloseRow, FutureRow } from '@hengtai/contract/future.schema';
import { type OrderType, orderTypes } from '@hengtai/contract/spot';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { Direction } from '../../ui/Direction.tsx';
import { CommandNote, ProfitAmount } from '../../ui/order-parts.tsx';
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

/** Marks demo positions, which hold no money, so that nobody takes them for real ones. */
export function DemoMark({ demo }: { demo: number }) {
  return (
    <span className="fu-demo" data-demo={demo}>
      {demoLabels[demo as Demo] ?? demo}
    </span>
  );
}

/** A margin ratio in percent. 100 means liquidation; below 150 it is highlighted. */
export function Ratio({ value }: { value: string | null }) {
  const isNearLiquidation = value !== null && Number(value) < 150;
  return (
    <span
      className="fu-ratio"
      data-near={isNearLiquidation}
      title={isNearLiquidation ? '临近强平（100% 强平）' : undefined}
    >
      {isNearLiquidation && <span aria-hidden>⚠ </span>}
      <Money value={value} digits={2} rough />
    </span>
  );
}

export const CloseTypeTag = ({ type }: { type: number | null }) =>
  type === null ? '--' : <StateTag state={type} labels={closeTypes} tones={closeTones} />;

const amount = { align: 'right', width: 128 } as const;
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const money = (value: string | null) => <Money value={value} />;
const price = (value: string | null) => <Money value={value} digits={8} rough />;
const gain = (value: string | null) => <ProfitAmount value={value} />;
const time = (value: number | null) => <Time value={value} />;
const side = (value: number) => <Direction side={value} labels={futureSides} />;
const demo = (value: number) => <DemoMark demo={value} />;
const leverageCell = (value: number) => `${value}×`;
const typeCell = (value: number) => orderTypes[value as OrderType] ?? value;
const accountCell = (value: string, row: { id: number }) => (
  <span className="sh-marked">
    {withTitle(value)}
    <WaitingMark id={row.id} />
  </span>
);

const col = listColOf<FutureRow>()(future.list.list.columns);

/** All columns of live orders. Each page hides those that do not apply to its states. */
export const futureColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', { width: 136, render: (_value, row) => <FutureStateTag row={row} /> }),
  col('demo', { width: 96, render: demo }),
  col('account', { width: 150, render: accountCell }),
  col('marketName', { width: 72 }),
  col('side', { width: 80, render: side }),
  col('leverage', { width: 72, align: 'right', render: leverageCell }),
  col('type', { width: 72, render: typeCell }),
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
  col('roe', { ...amount, width: 100, render: (value) => <ProfitAmount value={value} digits={2} /> }),
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
  col('by', { width: 110, render: withTitle }),
  col('reason', { width: 140, render: withTitle }),
  col('agent', { width: 120, render: withTitle }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 172, hidden: true, render: time }),
];

const hideColumns = (fields: readonly string[]) =>
  futureColumns.map((column) => (fields.includes(column.key) ? { ...column, hidden: true as const } : column));

/** An order that is not filled has no result and no risk. */
export const waitColumns = hideColumns([
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
const LEADING_COLUMNS = ['id', 'state', 'demo', 'account', 'marketName', 'side', 'leverage'];
/** Result and risk come first; the other columns keep their order. */
const RISK_COLUMNS = ['left', 'openPrice', 'markPrice', 'unrealized', 'roe', 'marginRatio', 'liquidationPrice'];
const rank = ({ key }: { key: string }): number => {
  const at = RISK_COLUMNS.indexOf(key);
  return at < 0 ? (LEADING_COLUMNS.includes(key) ? -1 : RISK_COLUMNS.length) : at;
};
export const openColumns = hideColumns([
  'type',
  'price',
  'amount',
  'closeAmount',
  'margin',
  'closing',
  'createdAt',
]).toSorted((a, b) => rank(a) - rank(b));

const endedCol = listColOf<FutureRow>()(future.openHistory.list.columns);

export const endedColumns = [
  endedCol('id', { width: 84, fixed: 'left', locked: true }),
  endedCol('state', { width: 100, render: (_value, row) => <FutureStateTag row={row} /> }),
  endedCol('demo', { width: 92, render: demo }),
  endedCol('account', { width: 150, render: withTitle }),
  endedCol('marketName', { width: 72 }),
  endedCol('side', { width: 80, render: side }),
  endedCol('leverage', { width: 72, align: 'right', render: leverageCell }),
  endedCol('type', { width: 72, render: typeCell }),
  endedCol('price', { ...amount, render: money }),
  endedCol('amount', { ...amount, render: money }),
  endedCol('closeAmount', { ...amount, render: money }),
  endedCol('openPrice', { ...amount, render: price }),
  endedCol('closePrice', { ...amount, render: price }),
  endedCol('margin', { ...amount, width: 148, render: (value) => <Money value={value} digits={4} rough /> }),
  endedCol('realized', { ...amount, width: 148, render: gain }),
  endedCol('roe', { ...amount, width: 100, render: (value) => <ProfitAmount value={value} digits={2} /> }),
  endedCol('fee', { ...amount, width: 120, render: money }),
  endedCol('funding', { ...amount, width: 136, render: gain }),
  endedCol('insured', { ...amount, width: 148, render: money }),
  endedCol('closeType', { width: 100, render: (value) => <CloseTypeTag type={value} /> }),
  endedCol('createdAt', { width: 172, render: time }),
  endedCol('openedAt', { width: 172, render: time }),
  endedCol('endedAt', { width: 172, render: time }),
  endedCol('by', { width: 110, render: withTitle }),
  endedCol('reason', { width: 140, render: withTitle }),
  endedCol('agent', { width: 120, render: withTitle }),
  endedCol('no', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平台单号" /> }),
  endedCol('userId', { width: 96, hidden: true }),
  endedCol('updatedAt', { width: 172, hidden: true, render: time }),
];

const closedCol = listColOf<FutureCloseRow>()(future.closeHistory.list.columns);

export const closeColumns = [
  closedCol('id', { width: 84, fixed: 'left', locked: true }),
  closedCol('orderId', { width: 112 }),
  closedCol('demo', { width: 92, render: demo }),
  closedCol('account', { width: 150, render: withTitle }),
  closedCol('marketName', { width: 72 }),
  closedCol('side', { width: 80, render: side }),
  closedCol('leverage', { width: 72, align: 'right', render: leverageCell }),
  closedCol('closeType', { width: 100, render: (value) => <CloseTypeTag type={value} /> }),
  closedCol('closeAmount', { ...amount, render: money }),
  closedCol('openPrice', { ...amount, render: price }),
  closedCol('closePrice', { ...amount, render: price }),
  closedCol('realized', { ...amount, width: 148, render: gain }),
  closedCol('roe', { ...amount, width: 100, render: (value) => <ProfitAmount value={value} digits={2} /> }),
  closedCol('released', { ...amount, width: 148, render: (value) => <Money value={value} digits={4} rough /> }),
  closedCol('fee', { ...amount, width: 120, render: money }),
  closedCol('insured', { ...amount, width: 148, render: money }),
  closedCol('createdAt', { width: 172, render: time }),
  closedCol('agent', { width: 120, render: withTitle }),
  closedCol('closeNo', { width: 180, hidden: true, render: (value) => <Hash value={value} what="平仓单号" /> }),
  closedCol('userId', { width: 96, hidden: true }),
];

const resultSums = [
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
  ...resultSums,
  funding,
] as const;
export const endedSums = [{ field: 'margin', label: '投入保证金' }, ...resultSums, funding, insured] as const;
export const closeSums = [...resultSums, insured] as const;

export const heldSum = { coin: coinOf, value: ({ held }: FutureRow) => held };
export const endedSum = { coin: coinOf, value: ({ realized }: FutureRow) => realized };
export const closeSum = { coin: coinOf, value: ({ realized }: FutureCloseRow) => realized };
