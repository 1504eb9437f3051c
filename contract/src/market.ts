import { call } from './endpoint.ts';
import type { ListInput, Page } from './list.ts';
import type { MarketName, MarketRow } from './market.schema.ts';
import type { Nothing } from './session.schema.ts';

export const marketStates = { 1: '上架', 0: '下架', 2: '暂停' } as const;

const list = {
  filters: [
    { field: 'marketName', label: '市场', kind: 'prefix', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: marketStates },
  ],
  sortable: ['sort', 'price'],
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
