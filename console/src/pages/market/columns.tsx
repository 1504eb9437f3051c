import { marketStates } from '@hengtai/contract/market';
import type { MarketRow } from '@hengtai/contract/market.schema';
import { onOffLabels } from '@hengtai/contract/switches';
import { Change } from '../../ui/Change.tsx';
import { Money } from '../../ui/Money.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';
import { MarketName } from './MarketName.tsx';
import { Limit, Percent } from './values.tsx';

export const marketTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'idle', 2: 'warn' };
export const switchTones: Readonly<Record<number, Tone>> = { 1: 'good', 0: 'idle' };

const col = colOf<MarketRow>();
const onOff = (value: number) => <StateTag state={value} labels={onOffLabels} tones={switchTones} />;
const coins = (value: string) => <Money value={value} digits={18} />;
const ratio = (value: string) => <Percent ratio={value} />;
const most = (value: string) => <Limit value={value} />;

export const marketColumns = [
  col('id', { title: '编号', width: 72, fixed: 'left', locked: true }),
  col('marketName', { title: '市场', width: 130, fixed: 'left', render: (_name, row) => <MarketName row={row} /> }),
  col('state', {
    title: '状态',
    width: 84,
    render: (value) => <StateTag state={value} labels={marketStates} tones={marketTones} />,
  }),
  col('price', {
    title: '最新价(USDT)',
    width: 150,
    align: 'right',
    render: (value) => <Money value={value} digits={18} />,
  }),
  col('change24h', { title: '24h 涨跌', width: 110, align: 'right', render: (value) => <Change value={value} /> }),
  col('spot', { title: '现货', width: 76, render: onOff }),
  col('future', { title: '合约', width: 76, render: onOff }),
  col('second', { title: '秒合约', width: 80, render: onOff }),
  col('ieo', { title: '认购', width: 76, render: onOff }),
  col('rechargeState', { title: '充值', width: 76, render: onOff }),
  col('withdrawState', { title: '提现', width: 76, render: onOff }),
  col('makerFee', { title: '挂单费率', width: 96, align: 'right', render: ratio }),
  col('takerFee', { title: '吃单费率', width: 96, align: 'right', render: ratio }),
  col('minAmount', { title: '最小下单', width: 110, align: 'right', render: most }),
  col('maxAmount', { title: '最大下单', width: 110, align: 'right', render: most }),
  col('maxLeverage', { title: '最高杠杆', width: 92, align: 'right', render: (value) => `${value}×` }),
  col('maintenanceRate', { title: '维持保证金率', width: 116, align: 'right', render: ratio, hidden: true }),
  col('withdrawFee', { title: '提现手续费', width: 110, align: 'right', render: coins }),
  col('withdrawMin', { title: '最小提现', width: 110, align: 'right', render: coins }),
  col('withdrawMax', { title: '最大提现', width: 110, align: 'right', render: most }),
  col('networks', { title: '网络', width: 160, render: (value) => value.map(({ network }) => network).join('、') }),
  col('pricePrecision', { title: '价格精度', width: 92, align: 'right', hidden: true }),
  col('amountPrecision', { title: '数量精度', width: 92, align: 'right', hidden: true }),
  col('sort', { title: '排序', width: 84, align: 'right' }),
  col('createdAt', { title: '创建时间', width: 172, hidden: true, render: (value) => <Time value={value} /> }),
  col('updatedAt', { title: '更新时间', width: 172, render: (value) => <Time value={value} /> }),
];
