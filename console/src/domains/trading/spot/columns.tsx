import { SPOT_SIDE, otherFeesText, spot, spotSides } from '@hengtai/contract/trading/spot/calls';
import { type OrderType, orderTypes, spotStates, SPOT } from '@hengtai/contract/trading/spot/facts';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';
import { agentCell, operatorCell } from '../../../navigation/account-cells.tsx';
import { markedUserCell } from '../../../actions/marked-user-cell.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { CommandNote } from '../../../records/order-parts.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import type { PageSums } from '../../../ui/table/page-sums.ts';
import { frozenCoin, otherUnit, quoteOf } from './words.ts';
import { spotTones } from '../../../records/state-tones.ts';

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

/** The fee in the received coin, and how many other coins were charged as well. */
function Fee({ row }: { row: SpotRow }) {
  return (
    <>
      <Money value={row.fee} unit={row.feeMarket} />
      {row.otherFees && <span title={`其他币种手续费：${otherFeesText(row)}`}> +{row.otherFees.length}</span>}
    </>
  );
}

const col = listColOf<SpotRow>()(spot.list.list.columns);
const amountOptions = { align: 'right', width: 128 } as const;

export const spotColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('state', { width: 80, render: (_value, row) => <SpotStateTag row={row} /> }),
  col('account', { width: 124, render: markedUserCell }),
  col('marketName', { width: 102 }),
  col('quoteName', { width: 84, drawer: true }),
  col('side', { width: 80, under: 'marketName', render: (value) => <Direction side={value} labels={spotSides} /> }),
  col('type', { width: 72, under: 'marketName', render: (value) => orderTypes[value as OrderType] ?? value }),
  col('price', { ...amountOptions, render: (value, row) => <Money value={value} {...otherUnit(row)} />, width: 116 }),
  col('amount', { ...amountOptions, render: moneyCell, width: 116 }),
  col('filled', { ...amountOptions, render: moneyCell, width: 128, under: 'amount' }),
  col('avgPrice', {
    ...amountOptions,
    width: 148,
    under: 'price',
    render: (value, row) => <Money value={value} shortened {...otherUnit(row)} />,
  }),
  col('turnover', {
    ...amountOptions,
    width: 122,
    render: (value, row) => <Money value={value} {...otherUnit(row)} />,
  }),
  col('fee', { ...amountOptions, width: 124, under: 'turnover', render: (_value, row) => <Fee row={row} /> }),
  col('feeMarket', { width: 104, drawer: true }),
  col('otherFees', { width: 160, drawer: true, render: (_value, row) => textCell(otherFeesText(row)) }),
  col('createdAt', { width: 100, under: 'id', render: timeCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('funds', {
    ...amountOptions,
    width: 148,
    drawer: true,
    render: (value, row) => <Money value={value} unit={quoteOf(row)} />,
  }),
  col('frozen', {
    ...amountOptions,
    width: 150,
    drawer: true,
    render: (value, row) => <Money value={value} unit={frozenCoin(row)} />,
  }),
  col('by', { width: 130, drawer: true, render: operatorCell }),
  col('reason', { width: 140, drawer: true, render: textCell }),
  col('no', { width: 180, hidden: true, render: (value) => <Hash value={value} label="平台单号" /> }),
  col('userId', { width: 96, hidden: true }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];

export const spotSums = [
  { field: 'filled', label: '已成交' },
  { field: 'turnover', label: '成交额(计价币)' },
  { field: 'feeCoin', label: '手续费(币)' },
  { field: 'feeUsdt', label: '手续费(计价币)' },
  { field: 'otherFees', label: '其他币种手续费', isText: true },
] as const;

/** The fees are summed apart by the coin in which they were paid. */
export const spotPageSums: PageSums<SpotRow> = {
  coin: ({ marketName }) => marketName,
  value: (row, field) => {
    if (field === 'feeCoin') return row.side === SPOT_SIDE.buy ? row.fee : null;
    if (field === 'feeUsdt') return row.side === SPOT_SIDE.buy ? null : row.fee;
    return field === 'filled' ? row.filled : row.turnover;
  },
  amounts: ({ otherFees }) => otherFees ?? [],
};
