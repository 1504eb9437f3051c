import { spot, spotSides } from '@hengtai/contract/trading/spot/calls';
import type { SpotFill } from '@hengtai/contract/trading/spot/schema';
import { agentCell, userCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { pathOfTarget } from '../../../navigation/target-path.ts';
import { Direction } from '../../../records/Direction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { moneyCell, timeCell } from '../../../ui/table/list-cells.tsx';
import type { PageSums } from '../../../ui/table/page-sums.ts';
import { otherUnit } from './words.ts';

/** Address of the list of an order's fills. */
export const fillsPath = (orderId: number): string => `/trade/fill?orderId=${orderId}`;

const col = listColOf<SpotFill>()(spot.fills.list.columns);
const amountOptions = { align: 'right', width: 128 } as const;

export const fillColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('orderId', { width: 96, under: 'id', render: (id) => <OrderLink id={id} /> }),
  col('account', { width: 124, render: userCell }),
  col('marketName', { width: 100 }),
  col('quoteName', { width: 84, drawer: true }),
  col('side', { width: 80, under: 'marketName', render: (value) => <Direction side={value} labels={spotSides} /> }),
  col('price', { ...amountOptions, width: 136, render: (value, row) => <Money value={value} {...otherUnit(row)} /> }),
  col('amount', { ...amountOptions, render: moneyCell }),
  col('turnover', {
    ...amountOptions,
    width: 152,
    render: (value, row) => <Money value={value} {...otherUnit(row)} />,
  }),
  col('fee', {
    ...amountOptions,
    under: 'turnover',
    render: (value, { feeMarket }) => <Money value={value} unit={feeMarket} />,
  }),
  col('feeMarket', { width: 104, drawer: true }),
  col('createdAt', { width: 100, render: timeCell }),
  col('agent', { width: 130, under: 'account', render: agentCell }),
  col('tradeNo', { width: 180, drawer: true, render: (value) => <Hash value={value} label="成交编号" /> }),
  col('userId', { width: 96, hidden: true }),
];

const OrderLink = ({ id }: { id: number }) => (
  <PageLink quiet to={pathOfTarget({ targetType: 'trade', targetId: id }) ?? ''} label={`现货委托 #${id}`}>
    {id}
  </PageLink>
);

export const fillSums = [
  { field: 'amount', label: '数量' },
  { field: 'turnover', label: '成交额(计价币)' },
  { field: 'fee', label: '手续费', isText: true },
] as const;

export const fillPageSums: PageSums<SpotFill> = {
  amounts: ({ fee, feeMarket }) => [{ marketName: feeMarket, amount: fee }],
};
