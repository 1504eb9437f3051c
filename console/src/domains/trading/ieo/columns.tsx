import { ieo } from '@hengtai/contract/trading/ieo/calls';
import { ieoStates } from '@hengtai/contract/trading/ieo/facts';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { agentCell, operatorCell } from '../../../navigation/account-cells.tsx';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, stateCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { ieoTones } from '../../../records/state-tones.ts';

const col = listColOf<IeoRow>()(ieo.list.list.columns);
const amountOptions = { align: 'right', width: 130 } as const;

export const ieoColumns = [
  col('id', { width: 72, fixed: 'left', locked: true }),
  col('state', { width: 88, render: stateCell(ieoStates, ieoTones) }),
  col('account', { width: 146, render: markedUserCell }),
  col('marketName', { width: 96, unitOf: 'amount' }),
  col('amount', { ...amountOptions, render: moneyCell, width: 150 }),
  col('price', { ...amountOptions, width: 120, under: 'pay', render: moneyCell }),
  col('pay', { ...amountOptions, render: moneyCell, width: 146 }),
  col('createdAt', { width: 100, render: timeCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('by', { width: 130, render: operatorCell }),
  col('reviewedAt', { width: 104, under: 'by', render: timeCell }),
  col('secondBy', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 170, drawer: true, render: textCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
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

export const ieoAmountSum = {
  coin: (row: IeoRow) => row.marketName,
  value: (row: IeoRow) => row.amount,
};
export const ieoPaySum = {
  coin: () => SETTLEMENT,
  value: (row: IeoRow) => row.pay,
};
