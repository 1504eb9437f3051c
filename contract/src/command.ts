import { ABILITY, type Ability } from './ability.ts';
import type { CommandActionInput, CommandResolve, CommandRow } from './command.schema.ts';
import { call } from './endpoint.ts';
import { COMMAND, COMMAND_TYPES, type CommandType, RISKY_COMMANDS, commandStates } from './gateway.ts';
import type { ListInput, Page } from './list.ts';
import { targetText } from './target.ts';

export type CommandState = keyof typeof commandStates;

export const commandTypes: Readonly<Record<CommandType, string>> = {
  'withdraw.payout': '提现打款',
  'withdraw.reviewed': '提现审核结果',
  'recharge.reviewed': '充值处理结果',
  'auth.reviewed': '实名审核结果',
  'ieo.reviewed': '认购审核结果',
  'balance.changed': '余额变动',
  'user.created': '新增用户',
  'user.updated': '用户设置',
  'user.deleted': '删除用户',
  'user.password': '用户密码',
  'config.updated': '系统设置',
  'announce.published': '公告',
  'market.updated': '市场设置',
  'market.halted': '市场暂停',
  'market.resumed': '市场恢复',
  'plan.updated': '风控计划',
  'order.cancel': '现货撤单',
  'second.settled': '秒合约结算',
  'second.voided': '秒合约作废',
  'signal.published': '跟单信号',
  'follow.close': '结束跟单',
  'position.cancel': '合约撤单',
  'position.close': '合约平仓',
  'message.sent': '客服消息',
  'audit.head': '审计链头',
};

/** The ability needed to retry or resolve a command: that of the action which issued it. */
export const commandAbilities: Readonly<Record<CommandType, Ability>> = {
  'withdraw.payout': ABILITY.withdraw,
  'withdraw.reviewed': ABILITY.withdraw,
  'recharge.reviewed': ABILITY.assets,
  'auth.reviewed': ABILITY.identity,
  'ieo.reviewed': ABILITY.subscription,
  'balance.changed': ABILITY.assets,
  'user.created': ABILITY.users,
  'user.updated': ABILITY.users,
  'user.deleted': ABILITY.users,
  'user.password': ABILITY.users,
  'config.updated': ABILITY.platform,
  'announce.published': ABILITY.platform,
  'market.updated': ABILITY.markets,
  'market.halted': ABILITY.plans,
  'market.resumed': ABILITY.plans,
  'plan.updated': ABILITY.plans,
  'order.cancel': ABILITY.orders,
  'second.settled': ABILITY.orders,
  'second.voided': ABILITY.orders,
  'signal.published': ABILITY.markets,
  'follow.close': ABILITY.orders,
  'position.cancel': ABILITY.orders,
  'position.close': ABILITY.orders,
  'message.sent': ABILITY.users,
  'audit.head': ABILITY.audit,
};

/** As `commandAbilities`; `platform` for a type that this version does not know. */
export const commandAbility = (type: string): Ability =>
  COMMAND_TYPES.includes(type as CommandType) ? commandAbilities[type as CommandType] : ABILITY.platform;

/** A payout is retried or resolved through its withdrawal only, which posts the ledger entries. */
export const isPayout = (type: string): boolean => type === 'withdraw.payout';

export type CommandAction = 'retry' | 'resolve';

/**
 * States in which an action is allowed. A failed cancel or close has reset its record: it is ordered again there, so that
 * its policy applies again.
 */
export function commandActionStatesOf(action: CommandAction, type: string): readonly CommandState[] {
  if (isPayout(type)) return [];
  const isRisky = RISKY_COMMANDS.some((one) => one === type);
  return action === 'resolve' || isRisky ? [COMMAND.unknown] : [COMMAND.failed, COMMAND.unknown];
}

/** What an operator may report for a command with an unknown outcome. */
export const commandOutcomes = { 2: '已执行', 3: '未执行' } as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'prefix', type: 'text' },
    { field: 'type', label: '类型', kind: 'eq', type: 'text', options: commandTypes },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: commandStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'int' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text', more: true },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'int', more: true },
    { field: 'targetId', label: '对象编号', kind: 'eq', type: 'int', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: commandStates },
    { field: 'type', title: '指令', kind: 'state', labels: commandTypes },
    { field: 'targetType', title: '对象', kind: 'text', text: targetText },
    { field: 'account', title: '账号', kind: 'text' },
    { field: 'amount', title: '数量', kind: 'amount' },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'reason', title: '平台答复', kind: 'text' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'text' },
    { field: 'attempt', title: '发送次数', kind: 'count' },
    { field: 'sentAt', title: '首次发送', kind: 'time' },
    { field: 'doneAt', title: '答复时间', kind: 'time' },
    { field: 'by', title: '处理人', kind: 'text' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  views: [
    { name: '结果不明', query: 'state=4' },
    { name: '已失败', query: 'state=3' },
  ],
} as const;

const action = {
  method: 'POST',
  kind: 'action',
  target: 'command',
  targetBy: 'id',
  reason: 'optional',
} as const;

export const command = {
  list: call<ListInput<typeof list>, Page<CommandRow>>()({
    method: 'GET',
    path: 'command/list',
    summary: '平台指令',
    kind: 'list',
    list,
  }),
  retry: call<CommandActionInput, CommandRow>()({ ...action, path: 'command/retry', summary: '重发指令' }),
  resolve: call<CommandResolve, CommandRow>()({ ...action, path: 'command/resolve', summary: '确认指令结果' }),
};
