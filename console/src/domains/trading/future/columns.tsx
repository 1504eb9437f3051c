import './future.css';
import {
  CLOSE_TYPE,
  type Demo,
  closeTypes,
  demoLabels,
  future,
  futureSides,
} from '@hengtai/contract/trading/future/calls';
import { futureStates, FUTURE } from '@hengtai/contract/trading/future/facts';
import type { FutureCloseRow, FutureRow } from '@hengtai/contract/trading/future/schema';
import { type OrderType, orderTypes } from '@hengtai/contract/trading/spot/facts';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { CommandNote, ProfitAmount } from '../../../records/order-parts.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { type Column, listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { coinOf } from './words.ts';
import { futureTones } from '../../../records/state-tones.ts';

const closeTones: Readonly<Record<number, Tone>> = {
  [CLOSE_TYPE.takeProfit]: 'good',
  [CLOSE_TYPE.stopLoss]: 'warn',
  [CLOSE_TYPE.liquidation]: 'bad',
  [CLOSE_TYPE.operator]: 'run',
};

export function FutureStateTag({ row: { state, command } }: { row: Pick<FutureRow, 'state' | 'command'> }) {
  const doing = state === FUTURE.cancelling || state === FUTURE.closing;
  return (
    <>
      <StateTag state={state} labels={futureStates} tones={futureTones} />
      <CommandNote doing={doing} command={command} what={state === FUTURE.closing ? '平仓指令' : '撤单指令'} />
    </>
  );
}

/** Marks demo positions, which hold no money, so that nobody takes them for real ones. */
export function DemoMark({ demo }: { demo: number }) {
  return (
    <span className="ht-future-demo" data-demo={demo}>
      {demoLabels[demo as Demo] ?? demo}
    </span>
  );
}

/** A margin ratio in percent. 100 means liquidation; below 150 it is highlighted. */
export function Ratio({ value }: { value: string | null }) {
  const isNearLiquidation = value !== null && Number(value) < 150;
  return (
    <span
      className="ht-future-ratio"
      data-near={isNearLiquidation}
      title={isNearLiquidation ? '临近强平（100% 强平）' : undefined}
    >
      {isNearLiquidation && <span aria-hidden>⚠ </span>}
      <Money value={value} digits={2} shortened />
    </span>
  );
}

export const CloseTypeTag = ({ type }: { type: number | null }) =>
  type === null ? '--' : <StateTag state={type} labels={closeTypes} tones={closeTones} />;

const amountOptions = { align: 'right', width: 128 } as const;
const price = (value: string | null) => <Money value={value} shortened />;
const gain = (value: string | null) => <ProfitAmount value={value} />;
const side = (value: number) => <Direction side={value} labels={futureSides} />;
const demo = (value: number) => <DemoMark demo={value} />;
const leverageCell = (value: number) => `${value}×`;
const typeCell = (value: number) => orderTypes[value as OrderType] ?? value;
const col = listColOf<FutureRow>()(future.list.list.columns);

/** All columns of live orders. Each page hides those that do not apply to its states. */
export const futureColumns: readonly Column<FutureRow>[] = [
  col('id', { width: 76, fixed: 'left', locked: true }),
  col('state', { width: 92, render: (_value, row) => <FutureStateTag row={row} /> }),
  col('demo', { width: 96, under: 'state', render: demo }),
  col('account', { width: 130, render: markedUserCell }),
  col('marketName', { width: 96 }),
  col('side', { width: 80, under: 'marketName', render: side }),
  col('leverage', { width: 72, unitOf: 'marketName', align: 'right', render: leverageCell }),
  col('type', { width: 72, under: 'marketName', render: typeCell }),
  col('price', { ...amountOptions, render: moneyCell, width: 116 }),
  col('amount', { ...amountOptions, render: moneyCell, width: 116 }),
  col('closeAmount', { ...amountOptions, render: moneyCell, width: 120, drawer: true }),
  col('left', { ...amountOptions, render: moneyCell, width: 108 }),
  col('unopened', { ...amountOptions, width: 128, drawer: true, render: (value) => <Money value={value ?? null} /> }),
  col('pendingMargin', {
    ...amountOptions,
    width: 160,
    drawer: true,
    render: (value) => <Money value={value ?? null} />,
  }),
  col('openPrice', { ...amountOptions, render: price, width: 112 }),
  col('markPrice', { ...amountOptions, render: price, width: 128, under: 'openPrice' }),
  col('notional', {
    ...amountOptions,
    width: 140,
    drawer: true,
    render: (value) => <Money value={value} digits={4} shortened />,
  }),
  col('held', {
    ...amountOptions,
    width: 148,
    under: 'left',
    render: (value) => <Money value={value} digits={4} shortened />,
  }),
  col('margin', {
    ...amountOptions,
    width: 148,
    drawer: true,
    render: (value) => <Money value={value} digits={4} shortened />,
  }),
  col('unrealized', { ...amountOptions, width: 112, render: gain }),
  col('roe', {
    ...amountOptions,
    width: 100,
    under: 'unrealized',
    render: (value) => <ProfitAmount value={value} digits={2} />,
  }),
  col('marginRatio', { ...amountOptions, width: 100, render: (value) => <Ratio value={value} /> }),
  col('liquidationPrice', { ...amountOptions, render: price, width: 128, under: 'marginRatio' }),
  col('realized', { ...amountOptions, width: 148, drawer: true, render: gain }),
  col('fee', { ...amountOptions, width: 120, drawer: true, render: moneyCell }),
  col('funding', { ...amountOptions, width: 136, drawer: true, render: gain }),
  col('takeProfit', { ...amountOptions, render: price, width: 128, drawer: true }),
  col('stopLoss', { ...amountOptions, render: price, width: 128, drawer: true }),
  col('closing', { ...amountOptions, width: 112, drawer: true, render: moneyCell }),
  col('createdAt', { width: 100, render: timeCell }),
  col('openedAt', { width: 100, render: timeCell }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 140, drawer: true, render: textCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

type Changes = Partial<Record<keyof FutureRow, Partial<Pick<Column<FutureRow>, 'width' | 'under'>>>>;

const arrange = (hidden: readonly (keyof FutureRow)[], changes: Changes) =>
  futureColumns.map((column) => ({
    ...column,
    ...changes[column.key],
    ...(hidden.includes(column.key) && { hidden: true as const }),
  }));

/** An order that is not filled has no result and no risk. */
export const waitColumns = arrange(
  [
    'left',
    'unopened',
    'pendingMargin',
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
  ],
  {
    state: { width: 80 },
    account: { width: 124 },
    marketName: { width: 129 },
    amount: { width: 130 },
    createdAt: { width: 91 },
    markPrice: { under: 'price' },
    held: { under: 'amount' },
  },
);
const LEADING_COLUMNS = ['id', 'state', 'demo', 'account', 'marketName', 'side', 'leverage'];
/** Result and risk come first; the other columns keep their order. */
const RISK_COLUMNS = ['left', 'openPrice', 'markPrice', 'unrealized', 'roe', 'marginRatio', 'liquidationPrice'];
const rank = ({ key }: { key: string }): number => {
  const at = RISK_COLUMNS.indexOf(key);
  return at < 0 ? (LEADING_COLUMNS.includes(key) ? -1 : RISK_COLUMNS.length) : at;
};
export const openColumns = arrange(['type', 'price', 'amount', 'closeAmount', 'margin', 'closing', 'createdAt'], {
  id: { width: 80 },
  state: { width: 80 },
  account: { width: 124 },
  marketName: { width: 96 },
  left: { width: 88 },
  openPrice: { width: 94 },
  unrealized: { width: 98 },
  marginRatio: { width: 84 },
  openedAt: { under: 'id' },
}).toSorted((a, b) => rank(a) - rank(b));

const endedCol = listColOf<FutureRow>()(future.openHistory.list.columns);

export const endedColumns = [
  endedCol('id', { width: 72, fixed: 'left', locked: true }),
  endedCol('state', { width: 136, render: (_value, row) => <FutureStateTag row={row} /> }),
  endedCol('demo', { width: 92, under: 'state', render: demo }),
  endedCol('account', { width: 116, render: userCell }),
  endedCol('marketName', { width: 88 }),
  endedCol('side', { width: 80, under: 'marketName', render: side }),
  endedCol('leverage', { width: 72, unitOf: 'marketName', align: 'right', render: leverageCell }),
  endedCol('type', { width: 72, drawer: true, render: typeCell }),
  endedCol('price', { ...amountOptions, render: moneyCell, width: 128, drawer: true }),
  endedCol('amount', { ...amountOptions, render: moneyCell, width: 100 }),
  endedCol('closeAmount', { ...amountOptions, render: moneyCell, width: 128, under: 'amount' }),
  endedCol('openPrice', { ...amountOptions, render: price, width: 108 }),
  endedCol('closePrice', { ...amountOptions, render: price, width: 128, under: 'openPrice' }),
  endedCol('margin', {
    ...amountOptions,
    width: 148,
    drawer: true,
    render: (value) => <Money value={value} digits={4} shortened />,
  }),
  endedCol('realized', { ...amountOptions, width: 116, render: gain }),
  endedCol('roe', {
    ...amountOptions,
    width: 100,
    under: 'realized',
    render: (value) => <ProfitAmount value={value} digits={2} />,
  }),
  endedCol('fee', { ...amountOptions, width: 120, drawer: true, render: moneyCell }),
  endedCol('funding', { ...amountOptions, width: 136, drawer: true, render: gain }),
  endedCol('insured', { ...amountOptions, width: 148, drawer: true, render: moneyCell }),
  endedCol('closeType', { width: 100, under: 'state', render: (value) => <CloseTypeTag type={value} /> }),
  endedCol('createdAt', { width: 104, drawer: true, render: timeCell }),
  endedCol('openedAt', { width: 104, under: 'endedAt', render: timeCell }),
  endedCol('endedAt', { width: 94, render: timeCell }),
  endedCol('by', { width: 130, drawer: true, render: operatorCell }),
  endedCol('reason', { width: 140, drawer: true, render: textCell }),
  endedCol('agent', { width: 130, under: 'account', render: agentCell }),
  endedCol('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  endedCol('userId', { width: 96, hidden: true }),
  endedCol('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

const closedCol = listColOf<FutureCloseRow>()(future.closeHistory.list.columns);

export const closeColumns = [
  closedCol('id', { width: 106, fixed: 'left', locked: true }),
  closedCol('orderId', { width: 112, under: 'id' }),
  closedCol('demo', { width: 92, under: 'closeType', render: demo }),
  closedCol('account', { width: 122, render: userCell }),
  closedCol('marketName', { width: 88 }),
  closedCol('side', { width: 80, under: 'marketName', render: side }),
  closedCol('leverage', { width: 72, unitOf: 'marketName', align: 'right', render: leverageCell }),
  closedCol('closeType', { width: 92, render: (value) => <CloseTypeTag type={value} /> }),
  closedCol('closeAmount', { ...amountOptions, render: moneyCell, width: 104 }),
  closedCol('openPrice', { ...amountOptions, render: price, width: 112 }),
  closedCol('closePrice', { ...amountOptions, render: price, width: 128, under: 'openPrice' }),
  closedCol('realized', { ...amountOptions, width: 116, render: gain }),
  closedCol('roe', {
    ...amountOptions,
    width: 100,
    under: 'realized',
    render: (value) => <ProfitAmount value={value} digits={2} />,
  }),
  closedCol('released', {
    ...amountOptions,
    width: 148,
    drawer: true,
    render: (value) => <Money value={value} digits={4} shortened />,
  }),
  closedCol('fee', { ...amountOptions, width: 120, drawer: true, render: moneyCell }),
  closedCol('insured', { ...amountOptions, width: 148, drawer: true, render: moneyCell }),
  closedCol('createdAt', { width: 96, render: timeCell }),
  closedCol('agent', { width: 130, under: 'account', render: agentCell }),
  closedCol('closeNo', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平仓单号" /> }),
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
export const futurePageSums = { coin: coinOf };
