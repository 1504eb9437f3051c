import { SUPPORT } from '@hengtai/contract/desk/support/facts';
import { SUPPORT_SIDE, supportActionStates } from '@hengtai/contract/desk/support/calls';
import type { SupportRow } from '@hengtai/contract/desk/support/schema';
import type { Tone } from '../../../ui/value/StateTag.tsx';

export const NO_ABILITY = '没有「用户管理」权限';

export const stateTones: Readonly<Record<number, Tone>> = { [SUPPORT.open]: 'run' };
export const deliveryTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'run', 2: 'good', 3: 'bad', 4: 'warn' };

/**
 * The reason why a conversation cannot be closed; undefined if it can.
 *
 * @param isSending true while a reply is being sent, which must arrive before the conversation closes
 */
export function closeDisabledReasonOf(
  { state }: SupportRow,
  hasAbility: boolean,
  isSending: boolean,
): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if (isSending) return '消息正在发送';
  return supportActionStates.close.some((one) => one === state) ? undefined : '会话已关闭';
}

/** The assignee as displayed to the operator. An assignee outside the scope has no name. */
export function assigneeText({ assigned, assignee }: SupportRow, ownAccount: string): string {
  if (assigned === 0) return '待分配';
  if (assignee === ownAccount) return '我';
  return assignee ?? '上级';
}

/** The text of the last message in the list. */
export function previewText({ lastSide, lastText }: SupportRow): string {
  if (lastSide === 0) return '暂无消息';
  const text = lastText === '' ? '[图片]' : lastText;
  return lastSide === SUPPORT_SIDE.operator ? `回复：${text}` : text;
}
