import { action, listCall } from '../../wire/endpoint.ts';
import { walletItemActions, walletItemCauses, walletItemKinds, walletItemStates } from './item.ts';
import type { WalletExplain, WalletItem } from './item.schema.ts';

const list = {
  filters: [
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: walletItemStates },
    { field: 'why', label: '原因', kind: 'eq', type: 'text', options: walletItemCauses },
    { field: 'kind', label: '种类', kind: 'eq', type: 'text', options: walletItemKinds, more: true },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id' },
    { field: 'platformId', label: '平台编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: walletItemStates },
    { field: 'why', title: '原因', kind: 'state', labels: walletItemCauses },
    { field: 'platformName', title: '平台', kind: 'text' },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'network', title: '网络', kind: 'text' },
    { field: 'amount', title: '数量', kind: 'amount', signed: true },
    { field: 'excess', title: '账外数量', kind: 'amount', signed: true },
    { field: 'move', title: '链上流水', kind: 'text', text: ({ move }: WalletItem) => move?.no ?? '' },
    { field: 'record', title: '业务记录', kind: 'text', text: ({ record }: WalletItem) => record?.no ?? '' },
    { field: 'txHash', title: '交易哈希', kind: 'hash' },
    { field: 'createdAt', title: '发现时间', kind: 'time' },
    { field: 'by', title: '说明人', kind: 'operator' },
    { field: 'secondBy', title: '复核人', kind: 'operator' },
    { field: 'reason', title: '说明', kind: 'text' },
    { field: 'explainedAt', title: '说明时间', kind: 'time' },
  ],
  views: [{ name: '未处理', query: 'states=0,2' }],
} as const;

/** What does not fit between wallets, chains and records. All calls require full scope; reading takes ability 2 or 12. */
export const walletItemCalls = {
  /** Oldest first. */
  items: listCall<WalletItem>()('wallet/item/list', '链上差异', list),
  explain: action<WalletExplain, WalletItem>()(walletItemActions.explain, 'wallet/item/explain'),
};
