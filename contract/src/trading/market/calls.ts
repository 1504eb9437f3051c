import type { IdInput } from '../../wire/schema.ts';
import { marketStates, marketActions } from './facts.ts';
import { action, call, listCall, read } from '../../wire/endpoint.ts';
import { marketTypes } from './type.ts';
import type { MarketAffected, MarketCandles, MarketCandlesInput, MarketName, MarketRow, MarketSave } from './schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';
import { onOffLabels } from '../../wire/switches.ts';

export const candleLabels = {
  '1m': '1分',
  '5m': '5分',
  '15m': '15分',
  '30m': '30分',
  '1h': '1时',
  '4h': '4时',
  '1d': '1日',
};
export const CANDLES = 200;

export const marketNetworks = ({ networks }: Pick<MarketRow, 'networks'>): string =>
  networks.map(({ network }) => network).join('、');

export const unconfirmedNetworks = ({ unconfirmed }: Pick<MarketRow, 'unconfirmed'>): string => unconfirmed.join('、');

const list = {
  filters: [
    { field: 'marketName', label: '市场', kind: 'contains', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: marketStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  sortable: ['sort', 'price'],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'base', title: '交易币', kind: 'text' },
    { field: 'quote', title: '计价币', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: marketStates },
    { field: 'price', title: '最新价', kind: 'amount' },
    { field: 'pricedAt', title: '价格时间', kind: 'time' },
    { field: 'change24h', title: '24h 涨跌(%)', kind: 'amount' },
    { field: 'halted', title: '保护暂停', kind: 'states', labels: marketTypes },
    { field: 'unconfirmed', title: '待确认', kind: 'text', text: unconfirmedNetworks },
    { field: 'spot', title: '现货', kind: 'state', labels: onOffLabels },
    { field: 'future', title: '合约', kind: 'state', labels: onOffLabels },
    { field: 'second', title: '秒合约', kind: 'state', labels: onOffLabels },
    { field: 'ieo', title: '认购', kind: 'state', labels: onOffLabels },
    { field: 'rechargeState', title: '充值', kind: 'state', labels: onOffLabels },
    { field: 'withdrawState', title: '提现', kind: 'state', labels: onOffLabels },
    { field: 'makerFee', title: '挂单费率', kind: 'amount' },
    { field: 'takerFee', title: '吃单费率', kind: 'amount' },
    { field: 'minAmount', title: '最小下单', kind: 'amount' },
    { field: 'maxAmount', title: '最大下单', kind: 'amount' },
    { field: 'maxLeverage', title: '最高杠杆', kind: 'count' },
    { field: 'maintenanceRate', title: '维持保证金率', kind: 'amount' },
    { field: 'withdrawFee', title: '提现手续费', kind: 'amount' },
    { field: 'withdrawMin', title: '最小提现', kind: 'amount' },
    { field: 'withdrawMax', title: '最大提现', kind: 'amount' },
    { field: 'networks', title: '网络', kind: 'text', text: marketNetworks },
    { field: 'pricePrecision', title: '价格精度', kind: 'count' },
    { field: 'amountPrecision', title: '数量精度', kind: 'count' },
    { field: 'sort', title: '排序', kind: 'count' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
} as const;

export const market = {
  list: listCall<MarketRow>()('market/list', '市场列表', list),
  filter: read<EmptyInput, MarketName[]>()('market/filter', '市场选项'),
  detail: call<IdInput, MarketRow>()({
    method: 'POST',
    path: 'market/detail',
    summary: '市场详情',
    kind: 'read',
  }),
  /** Open records of a market in the caller's tree, which a change of its settings would affect. */
  affected: read<IdInput, MarketAffected>()('market/affected', '市场进行中的业务'),
  /** Candles of the recorded ticks, oldest first. Periods without a tick have no candle. */
  candles: read<MarketCandlesInput, MarketCandles>()('market/candle', '市场K线'),
  /** Adds a market if there is no id. A change needs the version that it is based on. */
  save: action<MarketSave, MarketRow>()(marketActions.save, 'market/save', { record: 'detail' }),
};
