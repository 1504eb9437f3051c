import { listCall } from '../../wire/endpoint.ts';
import { walletItemCalls } from './item-calls.ts';
import { walletDiffers, walletKinds, walletStates } from './facts.ts';
import type { WalletRow, WalletSum } from './schema.ts';

const list = {
  filters: [
    { field: 'name', label: '名称或编号', kind: 'contains', type: 'text' },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id' },
    { field: 'kind', label: '种类', kind: 'eq', type: 'text', options: walletKinds },
    { field: 'differs', label: '核对', kind: 'eq', type: 'int', options: walletDiffers },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: walletStates },
    { field: 'network', label: '网络', kind: 'eq', type: 'text', more: true },
    { field: 'platformId', label: '平台编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'name', title: '名称', kind: 'text' },
    { field: 'kind', title: '种类', kind: 'state', labels: walletKinds },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'network', title: '网络', kind: 'text' },
    { field: 'amount', title: '余额', kind: 'amount', signed: true },
    { field: 'differs', title: '核对', kind: 'state', labels: walletDiffers },
    { field: 'difference', title: '差额', kind: 'amount', signed: true },
    { field: 'reading', title: '最近读数', kind: 'amount' },
    { field: 'readAt', title: '读数时间', kind: 'time' },
    { field: 'block', title: '读数区块', kind: 'count' },
    { field: 'address', title: '地址', kind: 'hash' },
    { field: 'memo', title: '标签', kind: 'text' },
    { field: 'state', title: '状态', kind: 'state', labels: walletStates },
    { field: 'platformName', title: '平台', kind: 'text' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'createdAt', title: '登记时间', kind: 'time' },
  ],
  sums: ['amount'],
  views: [{ name: '有差额', query: 'differs=1' }],
} as const;

/** Wallets come from the platform; operators explain what does not fit. Reading takes full scope and ability 2 or 12. */
export const wallet = {
  list: listCall<WalletRow, WalletSum>()('wallet/list', '钱包', list),
  ...walletItemCalls,
};
