import { buttonLabelsOf } from '@hengtai/contract/authority/action';
import {
  PAYOUT_HELD,
  UNEXPLAINED,
  withdrawActions,
  withdrawStates,
  WITHDRAW,
} from '@hengtai/contract/funds/withdraw/facts';
import {
  type WithdrawAction,
  type WithdrawState,
  explainedActions,
  payingActions,
  unexplainedStates,
  withdrawActionStates,
} from '@hengtai/contract/funds/withdraw/calls';
import { obstacleReasonOf } from '../../risk/screening/exported/obstacle-reason.ts';
import { formatGrouped } from '../../../ui/value/decimal.ts';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { type ActionLabels, createDisabledReason } from '../../../ui/dialog/action-labels.ts';

/** The labels of each action in a row, in the dialog and on its button. */
export const actionLabels: Readonly<Record<WithdrawAction, ActionLabels>> = buttonLabelsOf(withdrawActions);

export const NO_ABILITY = '没有「提现审核」权限';

export const stateText = (state: number): string => withdrawStates[state as WithdrawState] ?? String(state);

const stateReasonOf = createDisabledReason({
  words: actionLabels,
  can: withdrawActionStates,
  states: withdrawStates,
  noAbility: NO_ABILITY,
});

/** Why an action cannot be done now. An unexplained payment is resolved before anything else is decided. */
export function disabledReasonOf(action: WithdrawAction, row: WithdrawRow, hasAbility: boolean): string | undefined {
  if (!row.unexplained || !hasAbility) return stateReasonOf(action, row, hasAbility);
  if (explainedActions.includes(action)) return UNEXPLAINED;
  return isUnderReview(row) && action === 'resolve' ? undefined : stateReasonOf(action, row, hasAbility);
}

const isUnderReview = ({ state }: WithdrawRow): boolean => (unexplainedStates as readonly number[]).includes(state);

/** Why an action on an opened withdrawal cannot be done now: as in its list, or because of a hold or its screening. */
export const drawerDisabledReasonOf = (
  action: WithdrawAction,
  { row, payoutHold, screening }: Pick<WithdrawDetail, 'row' | 'payoutHold' | 'screening'>,
  hasAbility: boolean,
): string | undefined =>
  disabledReasonOf(action, row, hasAbility) ??
  payoutHoldReasonOf(action, payoutHold) ??
  (payingActions.includes(action) ? obstacleReasonOf(screening) : undefined);

/** Why nothing can be done about the screening: the withdrawal can no longer be passed. */
export const screeningReasonOf = (row: WithdrawRow, hasAbility: boolean): string | undefined => {
  if (!hasAbility) return NO_ABILITY;
  const isPayable = payingActions.some((action) => disabledReasonOf(action, row, true) === undefined);
  return isPayable || row.state === WITHDRAW.second ? undefined : `提现${stateText(row.state)}`;
};

/** Why a payout waits; undefined for what orders none. */
export const payoutHoldReasonOf = (
  action: WithdrawAction,
  hold: WithdrawDetail['payoutHold'] | undefined,
): string | undefined => (hold && payingActions.includes(action) ? PAYOUT_HELD : undefined);

/** Whether somebody can still pay it although its user is frozen. */
export const isOpenOfFrozen = ({ state, userFrozen }: WithdrawRow): boolean => userFrozen && !OVER.includes(state);
const OVER: readonly number[] = [WITHDRAW.paid, WITHDRAW.rejected, WITHDRAW.cancelled, WITHDRAW.refunded];

/** True if the current policies require a checker for the action. */
export const needsChecker = (action: WithdrawAction, detail: WithdrawDetail | undefined): boolean =>
  detail?.approval.seconds.includes(action) ?? false;

/** The consequence of an action, in one sentence. */
export function consequenceOf(
  action: WithdrawAction,
  row: WithdrawRow,
  requiresChecker: boolean,
  paid?: boolean,
): string {
  const coin = row.marketName;
  const consequences: Record<WithdrawAction, string> = {
    pass: `将向上方地址打款 ${formatGrouped(row.received)} ${coin}，链上转账发出后无法撤回。`,
    reject: `冻结的 ${formatGrouped(row.amount)} ${coin} 退回用户可用余额，本次提现结束。`,
    retry: `将向原地址第 ${row.attempt + 1} 次打款 ${formatGrouped(row.received)} ${coin}，请先确认前一次没有到账。`,
    recall: '钱包尚未领取的打款指令作废，提现记为「打款失败」，之后可以重新打款或退回。钱包已领取的不能撤回。',
    refund: `冻结的 ${formatGrouped(row.amount)} ${coin} 退回用户可用余额，本次提现结束。请先确认打款没有到账。`,
    resolve:
      paid === undefined
        ? '请先在链上或钱包中核实这笔打款是否到账。'
        : paid
          ? '记为「已完成」，冻结的数量按已打款入账，之后不能更改。'
          : isUnderReview(row)
            ? '关闭「重复或意外打款」的告警，提现保持原状态，可以继续审核。'
            : '记为「打款失败」，之后可以重新打款或退回。',
  };
  return requiresChecker ? `提交后由另一位复核员确认，确认后：${consequences[action]}` : consequences[action];
}
