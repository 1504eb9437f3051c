import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { ActionLabels } from '../../../ui/dialog/action-labels.ts';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';

export type Decision = 'pass' | 'reject';

/** The keys have the order of the buttons. */
export const decisionWords: Readonly<Record<Decision, ActionLabels>> = {
  pass: { short: '通过', verb: '通过复核', danger: false },
  reject: { short: '驳回', verb: '驳回', danger: true },
};

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.approval]}」权限`;

export const stateText = (state: number): string =>
  Object.entries(approvalStates).find(([key]) => Number(key) === state)?.[1] ?? String(state);

export interface Decider {
  account: string;
  hasAbility: boolean;
}

/** The operators who can check the request, in one line. */
export function checkersText({ count, names }: ApprovalDetail['checkers']): string {
  if (count === 0) return '没有其他操作员可以复核';
  const more = count - names.length;
  if (names.length === 0) return `${count} 人（不在您的团队内）`;
  return `${names.join('、')}${more > 0 ? ` 等 ${count} 人` : ''}`;
}

/** The reason of the server why the request cannot be executed now; undefined if it can. */
export const problemText = (detail: Pick<ApprovalDetail, 'problem'> | undefined): string | undefined =>
  detail?.problem ? `当前不能执行：${detail.problem}` : undefined;

/** The reason why this decision is not possible; undefined if it is. A request that cannot run can be rejected. */
export function disabledReasonOf(
  decision: Decision,
  row: Pick<ApprovalRow, 'state' | 'maker'>,
  { account, hasAbility }: Decider,
  detail?: Pick<ApprovalDetail, 'why' | 'problem'>,
): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if (row.state !== APPROVAL.open) return `当前为「${stateText(row.state)}」，仅「${stateText(APPROVAL.open)}」可复核`;
  if (row.maker === account) return '不能复核自己提交的操作';
  return detail?.why ?? (decision === 'pass' ? problemText(detail) : undefined);
}
