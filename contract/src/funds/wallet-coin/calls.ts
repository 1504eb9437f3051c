import type { IdInput } from '../../wire/schema.ts';
import { listCall, read } from '../../wire/endpoint.ts';
import { proposalKinds, walletCoinStates } from './facts.ts';
import type { WalletCoinDetail, WalletCoinRow } from './schema.ts';

const list = {
  filters: [
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id' },
    { field: 'state', label: '核对', kind: 'eq', type: 'int', options: walletCoinStates },
  ],
  columns: [
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'state', title: '核对', kind: 'state', labels: walletCoinStates },
    { field: 'custody', title: '账面托管', kind: 'amount', signed: true },
    { field: 'liabilities', title: '用户负债', kind: 'amount', signed: true },
    { field: 'wallets', title: '钱包合计', kind: 'amount', signed: true },
    { field: 'underWay', title: '在途', kind: 'amount', signed: true },
    { field: 'difference', title: '差额', kind: 'amount', signed: true },
    { field: 'hot', title: '热钱包可用', kind: 'amount', signed: true },
    { field: 'days', title: '可支撑(天)', kind: 'amount' },
    {
      field: 'proposal',
      title: '调拨建议',
      kind: 'text',
      text: ({ proposal }: WalletCoinRow) => (proposal ? `${proposalKinds[proposal.kind]} ${proposal.amount}` : ''),
    },
    { field: 'readAt', title: '读数时间', kind: 'time' },
    { field: 'createdAt', title: '核对时间', kind: 'time' },
  ],
  sortable: ['liabilities', 'difference'],
  views: [{ name: '有差额', query: 'state=2' }],
} as const;

/** Books and wallets of each coin. All calls require full scope and ability 2 or 12. */
export const walletCoin = {
  list: listCall<WalletCoinRow>()('wallet/coin/list', '钱包对账', list),
  detail: read<IdInput, WalletCoinDetail>()('wallet/coin/detail', '钱包对账详情'),
};
