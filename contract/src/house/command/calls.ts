import type { ActionInput } from '../../wire/schema.ts';
import { ABILITY, type Ability } from '../../authority/ability.ts';
import { commandAbilities, commandActions, commandStates, commandTypes } from './facts.ts';
import type { CommandResolve, CommandRow } from './schema.ts';
import { action, listCall } from '../../wire/endpoint.ts';
import { COMMAND, COMMAND_TYPES, type CommandType, RISKY_COMMANDS } from '../../gateway/gateway.ts';
import { targetText } from '../../authority/target.ts';

export type CommandState = keyof typeof commandStates;

/** As `commandAbilities`; `platform` for a type that this version does not know. */
export const commandAbility = (type: string): Ability =>
  COMMAND_TYPES.includes(type as CommandType) ? commandAbilities[type as CommandType] : ABILITY.platform;

/** A payout is retried or resolved through its withdrawal only, which posts the ledger entries. */
export const isPayout = (type: string): boolean => type === 'withdraw.payout';

export const isWalletMove = (type: string): boolean => type === 'wallet.move.requested';

/** Whether operators decide the outcome through the record of the command only. */
export const isDecidedByRecord = (type: string): boolean => isPayout(type) || isWalletMove(type);

export type CommandAction = 'retry' | 'resolve';

/**
 * States in which an action is allowed. A failed cancel or close has reset its record: it is ordered again there, so that
 * its policy applies again.
 */
export function commandActionStatesOf(action: CommandAction, type: string): readonly CommandState[] {
  if (isDecidedByRecord(type)) return [];
  const isRisky = RISKY_COMMANDS.some((one) => one === type);
  return action === 'resolve' || isRisky ? [COMMAND.unknown] : [COMMAND.failed, COMMAND.unknown];
}

/** What an operator may report for a command with an unknown outcome. */
export const commandOutcomes = { 2: '已执行', 3: '未执行' } as const;

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'type', label: '类型', kind: 'eq', type: 'text', options: commandTypes },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: commandStates },
    { field: 'id', label: '编号', kind: 'eq', type: 'int' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'int', more: true },
    { field: 'targetId', label: '对象编号', kind: 'eq', type: 'int', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: commandStates },
    { field: 'type', title: '指令', kind: 'state', labels: commandTypes },
    { field: 'targetType', title: '对象', kind: 'text', text: targetText },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'amount', title: '数量', kind: 'amount' },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'reason', title: '平台答复', kind: 'text' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'attempt', title: '发送次数', kind: 'count' },
    { field: 'sentAt', title: '首次发送', kind: 'time' },
    { field: 'doneAt', title: '答复时间', kind: 'time' },
    { field: 'by', title: '处理人', kind: 'operator' },
    { field: 'no', title: '平台单号', kind: 'hash' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  views: [
    { name: '结果不明', query: 'state=4' },
    { name: '已失败', query: 'state=3' },
  ],
} as const;

export const command = {
  list: listCall<CommandRow>()('command/list', '平台指令', list),
  retry: action<ActionInput, CommandRow>()(commandActions.retry, 'command/retry'),
  resolve: action<CommandResolve, CommandRow>()(commandActions.resolve, 'command/resolve'),
};
