import { withdrawStates, withdrawActions } from './facts.ts';
import { actionStatesOf } from '../../authority/action.ts';
import { autoOutcomes } from '../../risk/auto-payout/facts.ts';
import { action, bulkAction, listCall, read } from '../../wire/endpoint.ts';
import type { BulkResult, ActionInput, BulkInput, IdInput, ReasonInput } from '../../wire/schema.ts';
import type { WithdrawDetail, WithdrawResolve, WithdrawResolveMany, WithdrawRow, WithdrawSum } from './schema.ts';

export type WithdrawState = keyof typeof withdrawStates;

/** States in which each action is allowed. The server enforces them, the console disables buttons by them. */
export const withdrawActionStates = actionStatesOf(withdrawActions) satisfies Record<string, readonly WithdrawState[]>;
export type WithdrawAction = keyof typeof withdrawActionStates;

/** They order a payout, which waits while payouts of the user are held. */
export const payingActions: readonly WithdrawAction[] = ['pass', 'retry'];

/** They wait while a payment is unexplained. */
export const explainedActions: readonly WithdrawAction[] = ['pass', 'reject', 'retry', 'refund'];
/** States in which an unexplained payment is resolved, besides those of the action. */
export const unexplainedStates: readonly WithdrawState[] = [0, 1];

/** What the wallet says about a payout, and what follows from it. */
export const statementTypes = { paying: '打款中', paid: '已打款', failed: '打款失败', unknown: '结果不明' } as const;
export const statementEffects = { applied: '已入账', none: '仅记录', unexpected: '意外，已告警' } as const;

/** The payout that the wallet speaks of; 0 if none was ordered. */
export const attemptText = (attempt: number): string => (attempt === 0 ? '未下发' : `第 ${attempt} 次`);

/** Setting: freezing a user calls its payouts back that nobody has received yet. */
export const RECALL_FROZEN = 'withdraw.recallFrozen';
/** Setting: after a reversal that the balance did not cover, payouts of the user wait until its alarm is closed. */
export const HOLD_SHORTFALL = 'withdraw.holdShortfall';
/** Setting: minutes after which the outcome of a payout that is under way becomes unknown. */
export const PAYING_MINUTES = 'withdraw.payingMinutes';
/** Setting: a request whose address is not written as its network demands is rejected. */
export const REFUSE_FORMAT = 'withdraw.refuseFormat';

/** States in which each event of the wallet or the user is accepted. */
export const withdrawEventStates = {
  cancelled: [0, 1],
  paying: [2, 3, 8],
  paid: [2, 3, 7, 8],
  failed: [2, 3, 8],
  unknown: [2, 3, 8],
} as const satisfies Record<string, readonly WithdrawState[]>;

/**
 * Risk codes, determined when the request arrives and again when it is reviewed. The gravest first: doubts about the money, then
 * about the person, then unusual requests.
 */
export const withdrawRisks = {
  ledger_mismatch: '余额与流水合计不符',
  manual_balance: '余额来自人工调账',
  credential_changed: '近期修改过密码或验证方式',
  related_listed: '关联地址在名单中',
  shared_address: '多个用户使用同一地址',
  address_format: '地址格式不符',
  memo_missing: '备注缺失',
  over_limit: '超过24小时限额',
  first_address: '首次使用的地址',
} as const;
export type WithdrawRisk = keyof typeof withdrawRisks;

/** What rules said about a withdrawal, for its filter. */
export const ruleOutcomes = { 1: '有规则命中', 2: '被规则拦截', 3: '规则要求多人', 4: '试运行规则命中' } as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text' },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: withdrawStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'id' },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'id', more: true },
    { field: 'no', label: '平台单号', kind: 'eq', type: 'text', more: true },
    { field: 'address', label: '地址', kind: 'ends', type: 'text', more: true },
    { field: 'txHash', label: '交易哈希', kind: 'ends', type: 'text', more: true },
    { field: 'by', label: '审核人', kind: 'eq', type: 'text', hint: '审核人的完整账号，不区分大小写', more: true },
    { field: 'paidDay', label: '打款完成日期', kind: 'eq', type: 'date', more: true },
    { field: 'risk', label: '风险', kind: 'has', type: 'text', options: withdrawRisks, more: true },
    { field: 'rule', label: '规则', kind: 'eq', type: 'int', options: ruleOutcomes, more: true },
    { field: 'ruleId', label: '规则编号', kind: 'eq', type: 'id', more: true },
    { field: 'auto', label: '自动打款', kind: 'eq', type: 'int', options: autoOutcomes, more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: withdrawStates },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'amount', title: '数量', kind: 'amount' },
    { field: 'valuation', title: '估值(USDT)', kind: 'amount' },
    { field: 'risk', title: '风险', kind: 'states', labels: withdrawRisks },
    { field: 'createdAt', title: '申请时间', kind: 'time' },
    { field: 'rules', title: '规则', kind: 'text', text: ({ rules }: WithdrawRow) => rules.join('、') },
    { field: 'points', title: '分数', kind: 'count' },
    { field: 'address', title: '地址', kind: 'hash' },
    { field: 'network', title: '网络', kind: 'text' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'fee', title: '手续费', kind: 'amount' },
    { field: 'received', title: '到账数量', kind: 'amount' },
    { field: 'txHash', title: '交易哈希', kind: 'hash' },
    { field: 'by', title: '审核人', kind: 'operator' },
    { field: 'reviewedAt', title: '审核时间', kind: 'time' },
    { field: 'secondBy', title: '复核人', kind: 'operator' },
    { field: 'reason', title: '原因', kind: 'text' },
    { field: 'memo', title: '标签(Memo)', kind: 'text' },
    { field: 'attempt', title: '打款次数', kind: 'count' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
    { field: 'updatedAt', title: '更新时间', kind: 'time' },
  ],
  sortable: ['amount', 'valuation', 'reviewedAt'],
  sums: ['amount', 'fee', 'received'],
  views: [
    { name: '待审核', query: 'state=0' },
    { name: '待复核', query: 'state=1' },
    { name: '打款失败', query: 'state=7' },
    { name: '结果不明', query: 'state=8' },
    { name: '待复查', query: 'auto=2' },
  ],
} as const;

export const withdraw = {
  list: listCall<WithdrawRow, WithdrawSum>()('withdraw/list', '提现记录', list),
  detail: read<IdInput, WithdrawDetail>()('withdraw/detail', '提现审核详情', { target: 'withdraw' }),
  pass: action<ActionInput, WithdrawRow>()(withdrawActions.pass, 'withdraw/pass'),
  reject: action<ActionInput, WithdrawRow>()(withdrawActions.reject, 'withdraw/reject'),
  retry: action<ActionInput, WithdrawRow>()(withdrawActions.retry, 'withdraw/retry'),
  recall: action<ReasonInput, WithdrawRow>()(withdrawActions.recall, 'withdraw/recall'),
  refund: action<ReasonInput, WithdrawRow>()(withdrawActions.refund, 'withdraw/refund'),
  resolve: action<WithdrawResolve, WithdrawRow>()(withdrawActions.resolve, 'withdraw/resolve'),
  passMany: bulkAction<BulkInput, BulkResult>()(withdrawActions.pass, 'withdraw/pass/many'),
  resolveMany: bulkAction<WithdrawResolveMany, BulkResult>()(withdrawActions.resolve, 'withdraw/resolve/many'),
  rejectMany: bulkAction<BulkInput, BulkResult>()(withdrawActions.reject, 'withdraw/reject/many'),
};
