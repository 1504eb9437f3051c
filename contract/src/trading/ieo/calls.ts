import { ieoStates, ieoActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import type { IeoDetail, IeoRow, IeoSum } from './schema.ts';
import type { BulkResult, ActionInput, BulkInput, IdInput } from '../../wire/schema.ts';

export type IeoState = keyof typeof ieoStates;

/** The final states. */
export const ieoFinalStates = { 1: ieoStates[1], 2: ieoStates[2], 3: ieoStates[3] } as const;

/** The filter of the review page and of the history page. Without it the list shows the history. */
export const ieoTypes = { review: '待审核', history: '历史' } as const;
export type IeoType = keyof typeof ieoTypes;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const ieoActionStates = actionStatesOf(ieoActions) satisfies Record<string, readonly IeoState[]>;
export type IeoAction = keyof typeof ieoActionStates;

export const ieoRejectReasons = ieoActions.reject.reasons;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'type', label: '类型', kind: 'eq', type: 'text', options: ieoTypes },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: ieoStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id' },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
    { field: 'by', label: '审核人', kind: 'eq', type: 'text', hint: '审核人的完整账号，不区分大小写', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: ieoStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'marketName', title: '认购币种', kind: 'text' },
    { field: 'amount', title: '认购数量', kind: 'amount' },
    { field: 'price', title: '认购价(USDT)', kind: 'amount' },
    { field: 'pay', title: '支付(USDT)', kind: 'amount' },
    { field: 'createdAt', title: '申请时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'by', title: '审核人', kind: 'operator' },
    { field: 'reviewedAt', title: '审核时间', kind: 'time' },
    { field: 'secondBy', title: '复核人', kind: 'operator' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['amount', 'pay', 'reviewedAt'],
  sums: ['amount', 'pay'],
  views: [
    { name: '已通过', query: 'type=history&state=1' },
    { name: '已驳回', query: 'type=history&state=2' },
    { name: '用户撤销', query: 'type=history&state=3' },
  ],
} as const;

export const ieo = {
  list: listCall<IeoRow, IeoSum>()('ieo/order/list', '代币认购', list),
  detail: read<IdInput, IeoDetail>()('ieo/order/detail', '认购审核详情', { target: 'ieo' }),
  pass: action<ActionInput, IeoRow>()(ieoActions.pass, 'ieo/order/pass'),
  reject: action<ActionInput, IeoRow>()(ieoActions.reject, 'ieo/order/reject'),
  passMany: bulkAction<BulkInput, BulkResult>()(ieoActions.pass, 'ieo/order/pass/many'),
  rejectMany: bulkAction<BulkInput, BulkResult>()(ieoActions.reject, 'ieo/order/reject/many'),
};
