import { transferStates } from './facts.ts';
import { listCall } from '../../wire/endpoint.ts';
import type { TransferRow, TransferSum } from './schema.ts';
import { platformLabels } from '../../values/money.ts';

const list = {
  filters: [
    { field: 'account', label: '转出账号', kind: 'part', type: 'text' },
    { field: 'toAccount', label: '转入账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: transferStates },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id', more: true },
    { field: 'platform', label: '转出账户', kind: 'eq', type: 'int', options: platformLabels, more: true },
    { field: 'toPlatform', label: '转入账户', kind: 'eq', type: 'int', options: platformLabels, more: true },
    { field: 'userId', label: '转出用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'account', title: '转出账号', kind: 'user' },
    { field: 'toAccount', title: '转入账号', kind: 'user' },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'amount', title: '数量', kind: 'amount' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'platform', title: '转出账户', kind: 'state', labels: platformLabels },
    { field: 'toPlatform', title: '转入账户', kind: 'state', labels: platformLabels },
    { field: 'state', title: '状态', kind: 'state', labels: transferStates },
    { field: 'agent', title: '转出方代理', kind: 'agent' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '转出用户编号', kind: 'id' },
    { field: 'toUserId', title: '转入用户编号', kind: 'id' },
  ],
  sortable: ['amount'],
  sums: ['amount'],
} as const;

export const internalTransfer = {
  list: listCall<TransferRow, TransferSum>()('internalTransfer/list', '内部转账明细', list),
};
