import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { type FollowState, followActionStates } from '@hengtai/contract/trading/follow/calls';
import { followStates, FOLLOW } from '@hengtai/contract/trading/follow/facts';
import type { FollowRow } from '@hengtai/contract/trading/follow/schema';
import { COMMAND } from '@hengtai/contract/gateway/gateway';

type FollowStatus = Pick<FollowRow, 'state' | 'command'>;

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.orders]}」权限`;

export const stateText = (state: number): string => followStates[state as FollowState] ?? String(state);

/** True if the platform did not answer the last command, so that it can be sent again. */
export const canRetry = ({ state, command }: FollowStatus): boolean =>
  state === FOLLOW.ending && command === COMMAND.unknown;

/** The reason why a copy trade cannot be ended; undefined if it can. */
export function disabledReasonOf(row: FollowStatus, hasAbility: boolean): string | undefined {
  if (!hasAbility) return NO_ABILITY;
  if ((followActionStates.close as readonly number[]).includes(row.state) || canRetry(row)) return undefined;
  return row.state === FOLLOW.ending ? '结束指令处理中，等待平台确认' : `当前为「${stateText(row.state)}」`;
}
