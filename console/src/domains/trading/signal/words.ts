import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { type SignalState } from '@hengtai/contract/trading/signal/calls';
import { signalStates, SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.markets]}」权限`;

export const stateText = (state: number): string => signalStates[state as SignalState] ?? String(state);

export type SignalAction = 'edit' | 'publish' | 'end';

/** The reason why an action on a signal is not possible; undefined if it is. */
export function disabledReasonOf(
  action: SignalAction,
  { state }: Pick<SignalRow, 'state'>,
  hasAbility: boolean,
): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if (state === SIGNAL.ended) return '信号已结束，不能再修改';
  return action === 'publish' && state !== SIGNAL.draft ? '信号已发布' : undefined;
}
