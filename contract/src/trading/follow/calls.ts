import { followStates, followActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import type { FollowDetail, FollowRow, FollowSum } from './schema.ts';
import { futureSides } from '../future/calls.ts';
import type { BulkResult, ActionInput, BulkInput, IdInput } from '../../wire/schema.ts';

export type FollowState = keyof typeof followStates;

/** Whether the user followed manually, or the platform automatically. */
export const followWays = { 0: '手动', 1: '智能' } as const;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const followActionStates = actionStatesOf(followActions) satisfies Record<string, readonly FollowState[]>;

/** States in which the event `follow.closed` is accepted. */
export const followEventStates = { closed: [1, 3] } as const satisfies Record<string, readonly FollowState[]>;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'signalId', label: '信号编号', kind: 'eq', type: 'id' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: followStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id' },
    { field: 'marketId', label: '市场', kind: 'eq', type: 'id', more: true },
    { field: 'auto', label: '跟单方式', kind: 'eq', type: 'int', options: followWays, more: true },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: followStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'signalTitle', title: '信号', kind: 'text' },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'side', title: '方向', kind: 'state', labels: futureSides },
    { field: 'amount', title: '跟单金额(USDT)', kind: 'amount' },
    { field: 'profit', title: '盈亏(USDT)', kind: 'amount' },
    { field: 'auto', title: '跟单方式', kind: 'state', labels: followWays },
    { field: 'createdAt', title: '跟单时间', kind: 'time' },
    { field: 'closedAt', title: '结束时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'by', title: '结束人', kind: 'operator' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'signalId', title: '信号编号', kind: 'id' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['amount', 'profit', 'closedAt'],
  sums: ['amount', 'profit'],
  views: [
    { name: '跟单中', query: 'state=1' },
    { name: '结束中', query: 'state=3' },
    { name: '已结束', query: 'state=2' },
  ],
} as const;

export const follow = {
  list: listCall<FollowRow, FollowSum>()('follow/list', '跟单列表', list),
  detail: read<IdInput, FollowDetail>()('follow/detail', '跟单详情', { target: 'follow' }),
  close: action<ActionInput, FollowRow>()(followActions.close, 'follow/close'),
  closeMany: bulkAction<BulkInput, BulkResult>()(followActions.close, 'follow/close/many'),
};
