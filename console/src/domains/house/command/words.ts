import { abilityLabels } from '@hengtai/contract/authority/ability';
import {
  type CommandAction,
  type CommandState,
  commandAbility,
  commandActionStatesOf,
  isPayout,
  isWalletMove,
} from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { commandStates } from '@hengtai/contract/house/command/facts';
import type { Me } from '@hengtai/contract/house/session/schema';
import { can } from '../../../api/me.ts';

export const stateText = (state: number): string => commandStates[state as CommandState] ?? String(state);

type CommandStatus = Pick<CommandRow, 'type' | 'state' | 'superseded'>;

/** The reason why the operator cannot retry or resolve a command; undefined if it can. */
export function disabledReasonOf(
  action: CommandAction,
  { type, state, superseded }: CommandStatus,
  me: Me,
): string | undefined {
  if (isPayout(type)) return '打款指令请在提现记录中处理';
  if (isWalletMove(type)) return '调拨指令请在钱包调拨中处理';
  const ability = commandAbility(type);
  if (!can(me, ability)) return `没有「${abilityLabels[ability]}」权限`;
  const open = commandActionStatesOf(action, type);
  if (!open.some((one) => one === state)) {
    return `当前为「${stateText(state)}」，仅「${open.map(stateText).join('、')}」可以处理`;
  }
  return action === 'retry' && superseded ? '之后已有同类的新指令，不能重发这一条' : undefined;
}

/** The advice to the operator about a command. */
export function adviceFor({ type, state, superseded }: CommandStatus): string {
  if (state === COMMAND.done) return '平台已执行，无需处理。';
  if (state === COMMAND.waiting || state === COMMAND.sent) return '等待平台取走并答复，无需处理。';
  if (isPayout(type)) return '打开上面的提现，在提现记录中确认打款结果、重新打款或退回。';
  if (isWalletMove(type)) return '在钱包调拨中确认结果；没有执行而仍然需要的，重新提交调拨。';
  if (state === COMMAND.unknown) {
    const resolve = '先在平台核对这条指令是否已执行，再「确认结果」';
    return superseded ? `${resolve}。` : `${resolve}；没有执行而仍然需要的，可以「重发」，同一编号不会被重复执行。`;
  }
  if (superseded) return '之后已有同类的新指令，无需处理。';
  if (commandActionStatesOf('retry', type).some((one) => one === state)) return '查明平台拒绝的原因，排除后「重发」。';
  return '单据已恢复原状态；仍然需要的，请在单据上重新操作。';
}
