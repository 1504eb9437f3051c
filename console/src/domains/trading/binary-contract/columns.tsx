import './binary-contract.css';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import {
  BINARY_CONTRACT_RESULT,
  binaryContract,
  binaryContractConfigStates,
  binaryContractResults,
  binaryContractSides,
} from '@hengtai/contract/trading/binary-contract/calls';
import { binaryContractStates, BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractConfigRow, BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';
import { agentCell, operatorCell } from '../../../navigation/account-cells.tsx';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { RemainingTime } from './clock.tsx';
import { binaryContractTones } from '../../../records/state-tones.ts';

const resultTones: Readonly<Record<number, Tone>> = {
  [BINARY_CONTRACT_RESULT.win]: 'good',
  [BINARY_CONTRACT_RESULT.lose]: 'bad',
};
const configTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'idle' };

export const Side = ({ side }: { side: number }) => <Direction side={side} labels={binaryContractSides} />;

/** The result of a settled contract; `--` for running and voided ones. */
export const Result = ({ row }: { row: Pick<BinaryContractRow, 'state' | 'type'> }) =>
  row.state === BINARY_CONTRACT.settled ? (
    <StateTag state={row.type} labels={binaryContractResults} tones={resultTones} />
  ) : (
    '--'
  );

/** Profit of the user in the price colours, always with a sign. */
export function Profit({ value, unit }: { value: string | null; unit?: string }) {
  const side = value === null || value === '0' ? undefined : value.startsWith('-') ? 2 : 1;
  return (
    <span className="ht-records-direction" data-side={side}>
      <Money value={value} showPlus {...(unit && { unit })} />
    </span>
  );
}

const col = listColOf<BinaryContractRow>()(binaryContract.list.list.columns);
const amountOptions = { align: 'right', width: 120 } as const;

export const binaryContractColumns = [
  col('id', { width: 69, fixed: 'left', locked: true }),
  col('state', { width: 84, render: stateCell(binaryContractStates, binaryContractTones) }),
  col('account', { width: 124, render: markedUserCell }),
  col('marketName', { width: 102 }),
  col('side', { width: 80, under: 'marketName', render: (value) => <Side side={value} /> }),
  col('seconds', { width: 88, under: 'marketName', align: 'right' }),
  col('amount', { ...amountOptions, render: moneyCell, width: 110 }),
  col('payoutRate', {
    ...amountOptions,
    width: 104,
    under: 'openPrice',
    render: (value, row) => (
      <>
        {row.tier === 1 && <span className="ht-binary-contract-tier">专属</span>}
        <Money value={value} />
      </>
    ),
  }),
  col('openPrice', { ...amountOptions, render: moneyCell, width: 126 }),
  col('closePrice', { ...amountOptions, render: moneyCell, width: 120, under: 'openPrice' }),
  col('type', { width: 72, under: 'state', render: (_value, row) => <Result row={row} /> }),
  col('profit', { ...amountOptions, render: (value) => <Profit value={value} />, width: 106 }),
  col('openAt', { width: 104, under: 'settledAt', render: timeCell }),
  col('settleAt', { width: 104, drawer: true, render: timeCell }),
  col('settledAt', { width: 96, render: timeCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('payout', { ...amountOptions, render: moneyCell, width: 120, under: 'amount' }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('secondBy', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 180, drawer: true, render: textCell }),
  col('openTick', { width: 112, hidden: true }),
  col('closeTick', { width: 112, hidden: true }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

/** Columns that are empty while a contract runs. */
const END_COLUMNS: ReadonlySet<string> = new Set([
  'state',
  'closePrice',
  'type',
  'profit',
  'settledAt',
  'closeTick',
  'by',
  'secondBy',
  'reason',
]);
const LEADING_COLUMNS: ReadonlySet<string> = new Set(['id', 'account', 'marketName', 'side', 'seconds']);

/** The columns of the history without the empty ones. The remaining time follows the leading columns. */
export const openColumns = [
  ...binaryContractColumns.filter(({ key }) => LEADING_COLUMNS.has(key)),
  col('settleAt', {
    width: 130,
    render: (value) => (
      <span className="ht-binary-contract-end">
        <RemainingTime until={value} />
        <Time value={value} clock />
      </span>
    ),
  }),
  ...binaryContractColumns.filter(
    ({ key }) => !LEADING_COLUMNS.has(key) && !END_COLUMNS.has(key) && key !== 'settleAt',
  ),
];

/** Of running contracts, which have no profit yet. */
export const runningSums = [
  { field: 'amount', label: '下单(USDT)' },
  { field: 'payout', label: '可盈利(USDT)' },
] as const;
export const endedSums = [...runningSums, { field: 'profit', label: '用户盈亏(USDT)' }] as const;
/** A voided contract has no profit; like the totals, the sums of a page count it as zero. */
export const endedPageSums = {
  value: ({ amount, payout, profit }: BinaryContractRow, field: string): string | null =>
    ({ amount, payout, profit: profit ?? '0' })[field] ?? null,
};

export const stakeSum = {
  coin: (_row: BinaryContractRow) => SETTLEMENT,
  value: (row: BinaryContractRow) => row.amount,
};

const configCol = listColOf<BinaryContractConfigRow>()(binaryContract.configList.list.columns);

export const configColumns = [
  configCol('id', { width: 66, fixed: 'left', locked: true }),
  configCol('state', { width: 80, render: stateCell(binaryContractConfigStates, configTones) }),
  configCol('marketName', {
    width: 120,
    render: (value, row) => (
      <span className="ht-actions-marked">
        {textCell(value)}
        <WaitingMark id={row.id} />
      </span>
    ),
  }),
  configCol('seconds', { width: 88, align: 'right' }),
  configCol('payoutRate', { ...amountOptions, render: moneyCell, width: 96 }),
  configCol('minAmount', { ...amountOptions, width: 116, render: moneyCell }),
  configCol('maxAmount', {
    ...amountOptions,
    width: 128,
    under: 'minAmount',
    render: (value) => (value === '0' ? <span className="ht-value-faint">不限</span> : moneyCell(value)),
  }),
  configCol('running', { width: 88, align: 'right' }),
  configCol('sort', { width: 72, under: 'running', align: 'right' }),
  configCol('by', { width: 130, under: 'updatedAt', render: agentCell }),
  configCol('updatedAt', { width: 100, render: timeCell }),
  configCol('createdAt', { width: 104, hidden: true, render: timeCell }),
];
