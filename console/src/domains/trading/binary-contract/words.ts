import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import {
  type BinaryContractSide,
  type BinaryContractState,
  binaryContractActionStates,
  binaryContractSides,
} from '@hengtai/contract/trading/binary-contract/calls';
import { binaryContractStates } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractRow } from '@hengtai/contract/trading/binary-contract/schema';

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.orders]}」权限`;
export const NO_SETTING_ABILITY = `没有「${abilityLabels[ABILITY.markets]}」权限`;

export const stateText = (state: number): string => binaryContractStates[state as BinaryContractState] ?? String(state);

/** `看涨 60 秒`. */
export const kindText = ({ side, seconds }: Pick<BinaryContractRow, 'side' | 'seconds'>): string =>
  `${binaryContractSides[side as BinaryContractSide] ?? side} ${seconds} 秒`;

/** The reason why a contract cannot be voided; undefined if it can. `closing`: the server has the closing tick. */
export function disabledReasonOf(
  { state }: Pick<BinaryContractRow, 'state'>,
  hasAbility: boolean,
  closing = false,
): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if (!(binaryContractActionStates.change as readonly number[]).includes(state))
    return `当前为「${stateText(state)}」，不可作废`;
  return closing ? '结算价已产生，等待结算，不可作废' : undefined;
}
