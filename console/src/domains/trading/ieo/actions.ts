import { buttonLabelsOf } from '@hengtai/contract/authority/action';
import { ieoActions, ieoStates } from '@hengtai/contract/trading/ieo/facts';
import { type IeoAction, type IeoState, ieoActionStates } from '@hengtai/contract/trading/ieo/calls';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import { formatGrouped } from '../../../ui/value/decimal.ts';
import { type ActionLabels, createDisabledReason } from '../../../ui/dialog/action-labels.ts';

/** The labels of each action in a row, in the dialog and on its button. */
export const actionLabels: Readonly<Record<IeoAction, ActionLabels>> = buttonLabelsOf(ieoActions);

export const NO_ABILITY = '没有「认购审核」权限';

export const stateText = (state: number): string => ieoStates[state as IeoState] ?? String(state);

export const disabledReasonOf = createDisabledReason({
  words: actionLabels,
  can: ieoActionStates,
  states: ieoStates,
  noAbility: NO_ABILITY,
});

/** The consequence of an action, in one sentence. */
export function consequenceOf(action: IeoAction, { amount, pay, marketName }: IeoRow, needsChecker: boolean): string {
  const consequences: Record<IeoAction, string> = {
    pass: `冻结的 ${formatGrouped(pay)} USDT 转入认购账户，${formatGrouped(amount)} ${marketName} 发放到用户资金账户，之后不能撤回。`,
    reject: `冻结的 ${formatGrouped(pay)} USDT 退回用户资金账户可用余额，本次认购结束。`,
  };
  return needsChecker ? `提交后由另一位复核员确认，确认后：${consequences[action]}` : consequences[action];
}
