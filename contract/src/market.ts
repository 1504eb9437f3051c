import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import type { MarketName, MarketRow } from './market.schema.ts';
import type { Nothing } from './session.schema.ts';
import { onOffLabels } from './switches.ts';

export const marketStates = { 1: '上架', 0: '下架', 2: '暂停' } as const;

export const marketNetworks = ({ networks }: Pick<MarketRow, 'networks'>): string =>
  networks.map(({ network }) => network).join('、');

const list = {
  filters: [
    { field: 'marketName', label: '市场', kind: 'prefix', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: marketStates },
  ],
  sortable: ['sort', 'price'],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: marketStates },
    { field: 'price', title: '最新价(USDT)', kind: 'amount' },
    { field: 'change24h', title: '24h 涨跌(%)', kind: 'amount' },
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
  list: call<ListInput<typeof list>, Page<MarketRow>>()({
    method: 'GET',
    path: 'market/list',
    summary: '市场列表',
    kind: 'list',
    list,
  }),
  filter: call<Nothing, MarketName[]>()({
    method: 'GET',
    path: 'market/filter',
    summary: '市场选项',
    kind: 'read',
  }),
};
