import type { IdInput } from '../../wire/schema.ts';
import { signalStates, signalActions } from './facts.ts';
import { action, listCall, read } from '../../wire/endpoint.ts';
import { futureSides } from '../future/calls.ts';
import type { SignalAdd, SignalChange, SignalRow } from './schema.ts';

export type SignalState = keyof typeof signalStates;

/** Maximum percent of a follower's futures account that one automatic following uses. */
export const SIGNAL_RATIO_MAX = 100;
export const SIGNAL_RATIO_DECIMALS = 2;

/** Allowed state transitions. An ended signal stays ended. */
export const signalTransitions = { 0: [1, 2], 1: [2], 2: [] } as const satisfies Record<
  SignalState,
  readonly SignalState[]
>;

/** Fields that an operator sets, in the order of the form. */
export const signalFields = [
  'title',
  'marketId',
  'side',
  'leverage',
  'price',
  'takeProfit',
  'stopLoss',
  'ratio',
  'minAmount',
  'maxAmount',
  'startAt',
  'endAt',
] as const;
export type SignalField = (typeof signalFields)[number];

/**
 * Editable fields by state. Followers agreed to market, side, leverage, price and start, so these are fixed once published.
 * Exit prices, stake limits and the end may change while the signal runs.
 */
export const signalEditableFields: Readonly<Record<SignalState, readonly SignalField[]>> = {
  0: signalFields,
  1: ['title', 'takeProfit', 'stopLoss', 'ratio', 'minAmount', 'maxAmount', 'endAt'],
  2: [],
};

const list = {
  filters: [
    { field: 'title', label: '标题', kind: 'contains', type: 'text' },
    { field: 'marketId', label: '市场', kind: 'eq', type: 'id' },
    { field: 'side', label: '方向', kind: 'eq', type: 'int', options: futureSides },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: signalStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: signalStates },
    { field: 'title', title: '标题', kind: 'text' },
    { field: 'marketName', title: '市场', kind: 'text' },
    { field: 'side', title: '方向', kind: 'state', labels: futureSides },
    { field: 'leverage', title: '杠杆', kind: 'count' },
    { field: 'price', title: '入场价(USDT)', kind: 'amount' },
    { field: 'takeProfit', title: '止盈价(USDT)', kind: 'amount' },
    { field: 'stopLoss', title: '止损价(USDT)', kind: 'amount' },
    { field: 'openCount', title: '跟单中', kind: 'count' },
    { field: 'followCount', title: '跟单总数', kind: 'count' },
    { field: 'followAmount', title: '跟单金额(USDT)', kind: 'amount' },
    { field: 'profit', title: '跟单盈亏(USDT)', kind: 'amount' },
    { field: 'startAt', title: '开始时间', kind: 'time' },
    { field: 'endAt', title: '结束时间', kind: 'time' },
    { field: 'ratio', title: '跟单比例(%)', kind: 'amount' },
    { field: 'minAmount', title: '最小跟单(USDT)', kind: 'amount' },
    { field: 'maxAmount', title: '最大跟单(USDT)', kind: 'amount' },
    { field: 'by', title: '操作人', kind: 'agent' },
    { field: 'no', title: '信号代码', kind: 'hash' },
    { field: 'createdAt', title: '创建时间', kind: 'time' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['startAt', 'endAt'],
  views: [
    { name: '进行中', query: 'state=1' },
    { name: '草稿', query: 'state=0' },
    { name: '已结束', query: 'state=2' },
  ],
} as const;

export const signal = {
  list: listCall<SignalRow>()('signal/list', '信号列表', list),
  detail: read<IdInput, SignalRow>()('signal/detail', '信号详情'),
  add: action<SignalAdd, SignalRow>()(signalActions.add, 'signal/add'),
  /** Changes the fields that are editable in the current state, publishes or ends the signal, in one transaction. */
  change: action<SignalChange, SignalRow>()(signalActions.change, 'signal/change', { record: 'detail' }),
};
