import { buttonLabelsOf } from '@hengtai/contract/authority/action';
import { kycActions } from '@hengtai/contract/risk/kyc/facts';
import {
  KYC_LEVEL,
  type KycAction,
  type KycState,
  kycActionStates,
  kycLevels,
  kycStates,
} from '@hengtai/contract/risk/kyc/calls';
import { type KycSide, kycSides } from '@hengtai/contract/wire/input-values';
import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import { type ActionLabels, createDisabledReason } from '../../../ui/dialog/action-labels.ts';

/** The labels of each action in a row, in the dialog and on its button. */
export const actionLabels: Readonly<Record<KycAction, ActionLabels>> = buttonLabelsOf(kycActions);

export const NO_ABILITY = '没有「实名审核」权限';

export const stateText = (state: number): string => kycStates[state as KycState] ?? String(state);
export const levelText = (level: number): string => `${kycLevels[level === KYC_LEVEL.advanced ? 2 : 1]}认证`;

export const disabledReasonOf = createDisabledReason({
  words: actionLabels,
  can: kycActionStates,
  states: kycStates,
  noAbility: NO_ABILITY,
});

/** The consequence of an action, in one sentence. */
export const consequenceOf = (action: KycAction, row: KycRow): string =>
  action === 'pass'
    ? `该用户的实名状态变为「${levelText(row.level)}」，平台立即收到通知。`
    : '本次提交结束，用户会看到驳回原因，可以修改后重新提交。';

/** The sides that have an image. */
export const sidesOf = (row: KycRow): KycSide[] =>
  (Object.keys(kycSides) as KycSide[]).filter((side) => row[side] !== '');
