import type { ActionInput, BulkInput, BulkResult, IdInput } from '../../wire/schema.ts';
import { rechargeStates, rechargeActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import type { RechargeRow, RechargeSum, RechargeUrl } from './schema.ts';

export type RechargeState = keyof typeof rechargeStates;

/** Shorter hashes, such as numbers of a platform, do not identify a transaction. */
export const TX_HASH_MIN = 16;

/** `voucher`: a bank transfer that the user proves with an image. */
export const RECHARGE_SOURCE = { chain: 1, voucher: 2 } as const;
export const rechargeSources = { 1: '链上', 2: '凭证' } as const;

/** States in which each action is allowed. A credited recharge can no longer be held. */
export const rechargeActionStates = actionStatesOf(rechargeActions) satisfies Record<string, readonly RechargeState[]>;
export type RechargeAction = keyof typeof rechargeActionStates;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: rechargeStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id' },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'source', label: '来源', kind: 'eq', type: 'int', options: rechargeSources, more: true },
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
    { field: 'address', label: '地址', kind: 'ends', type: 'text', more: true },
    { field: 'txHash', label: '交易哈希', kind: 'ends', type: 'text', more: true },
    { field: 'creditedDay', label: '入账日期', kind: 'eq', type: 'date', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: rechargeStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'amount', title: '数量', kind: 'amount' },
    { field: 'confirmations', title: '确认数', kind: 'count' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'network', title: '网络', kind: 'text' },
    { field: 'txHash', title: '交易哈希', kind: 'hash' },
    { field: 'address', title: '地址', kind: 'hash' },
    { field: 'memo', title: '标签(Memo)', kind: 'text' },
    {
      field: 'sameTransaction',
      title: '同一交易已入账',
      kind: 'text',
      text: ({ sameTransaction }: RechargeRow) => sameTransaction.map((id) => `#${id}`).join('、'),
    },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'source', title: '来源', kind: 'state', labels: rechargeSources },
    { field: 'arrivedAt', title: '平台到账', kind: 'time' },
    { field: 'creditedAt', title: '入账时间', kind: 'time' },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'index', title: '输出序号', kind: 'count' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['amount'],
  sums: ['amount'],
  views: [{ name: '风控挂起', query: 'state=3' }],
} as const;

export const recharge = {
  list: listCall<RechargeRow, RechargeSum>()('recharge/list', '充值记录', list),
  url: read<IdInput, RechargeUrl>()('recharge/url', '充值凭据', { target: 'recharge' }),
  hold: action<ActionInput, RechargeRow>()(rechargeActions.hold, 'recharge/hold'),
  release: action<ActionInput, RechargeRow>()(rechargeActions.release, 'recharge/release'),
  releaseMany: bulkAction<BulkInput, BulkResult>()(rechargeActions.release, 'recharge/release/many'),
};
