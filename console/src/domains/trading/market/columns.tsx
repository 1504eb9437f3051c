import { market } from '@hengtai/contract/trading/market/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { marketStates } from '@hengtai/contract/trading/market/facts';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { type MarketType, marketTypes } from '@hengtai/contract/trading/market/type';
import { onOffLabels } from '@hengtai/contract/wire/switches';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { Change } from '../../../ui/value/Change.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { PriceTime } from '../../../ui/value/PriceTime.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { timeCell } from '../../../ui/table/list-cells.tsx';
import { MarketName } from './MarketName.tsx';
import { Limit, Percent } from './values.tsx';

export const marketTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'idle', 2: 'warn' };
export const switchTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'idle' };

const col = listColOf<MarketRow>()(market.list.list.columns);
const onOff = (value: number) => <StateTag state={value} labels={onOffLabels} tones={switchTones} />;
const amountCell = (value: string) => <Money value={value} />;
const percentCell = (value: string) => <Percent ratio={value} />;
const limitCell = (value: string) => <Limit value={value} />;

/** Names of the market types that price protection has halted. */
export const haltedText = (types: readonly number[]): string =>
  types.map((type) => marketTypes[type as MarketType]).join('、');

export const marketColumns = [
  col('id', { width: 60, fixed: 'left', locked: true }),
  col('marketName', { width: 112, fixed: 'left', render: (_name, row) => <MarketName row={row} /> }),
  col('base', { width: 84, drawer: true }),
  col('quote', { width: 84, drawer: true }),
  col('state', {
    width: 96,
    render: (value, row) => (
      <span className="ht-actions-marked">
        <StateTag state={value} labels={marketStates} tones={marketTones} />
        <WaitingMark id={row.id} />
      </span>
    ),
  }),
  col('price', {
    width: 124,
    align: 'right',
    render: (value, row) => <Money value={value} unit={row.quote ?? SETTLEMENT} />,
  }),
  col('pricedAt', { width: 110, under: 'price', align: 'right', render: (value) => <PriceTime value={value} short /> }),
  col('change24h', { width: 110, under: 'marketName', align: 'right', render: (value) => <Change value={value} /> }),
  col('halted', {
    width: 130,
    under: 'state',
    render: (types) =>
      types.length === 0 ? (
        <span className="ht-value-faint">--</span>
      ) : (
        <span className="ht-value-warn">{haltedText(types)}</span>
      ),
  }),
  col('unconfirmed', {
    width: 120,
    under: 'state',
    render: (networks) => (
      <span className="ht-value-warn" title={networks.join('、')}>
        {networks.length > 0 && '网络待确认'}
      </span>
    ),
  }),
  col('spot', { width: 76, render: onOff }),
  col('future', { width: 76, under: 'spot', render: onOff }),
  col('second', { width: 76, render: onOff }),
  col('ieo', { width: 76, under: 'second', render: onOff }),
  col('rechargeState', { width: 76, render: onOff }),
  col('withdrawState', { width: 76, under: 'rechargeState', render: onOff }),
  col('makerFee', { width: 84, align: 'right', render: percentCell }),
  col('takerFee', { width: 84, under: 'makerFee', align: 'right', render: percentCell }),
  col('minAmount', { width: 88, align: 'right', render: limitCell }),
  col('maxAmount', { width: 88, under: 'minAmount', align: 'right', render: limitCell }),
  col('maxLeverage', { width: 92, drawer: true, align: 'right', render: (value) => `${value}×` }),
  col('maintenanceRate', { width: 116, align: 'right', render: percentCell, hidden: true }),
  col('withdrawFee', { width: 110, drawer: true, align: 'right', render: amountCell }),
  col('withdrawMin', { width: 110, drawer: true, align: 'right', render: amountCell }),
  col('withdrawMax', { width: 110, drawer: true, align: 'right', render: limitCell }),
  col('networks', { width: 160, drawer: true, render: (value) => value.map(({ network }) => network).join('、') }),
  col('pricePrecision', { width: 92, align: 'right', hidden: true }),
  col('amountPrecision', { width: 92, align: 'right', hidden: true }),
  col('sort', { width: 84, drawer: true, align: 'right' }),
  col('createdAt', { width: 104, hidden: true, render: timeCell }),
  col('updatedAt', { width: 104, drawer: true, render: timeCell }),
];
