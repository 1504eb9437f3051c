import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { FOLLOW, type FollowState, followCan, followStates } from '@hengtai/contract/follow';
import type { FollowRow } from '@hengtai/contract/follow.schema';
import { COMMAND } from '@hengtai/contract/gateway';

type Standing = Pick<FollowRow, 'state' | 'command'>;

export const NO_ABILITY = `没有「${abilityLabels[ABILITY.orders]}」权限`;

export const stateText = (state: number): string => followStates[state as FollowState] ?? String(state);

/** Nobody answered the last command, so it may be given once more. */
export const isAgain = ({ state, command }: Standing): boolean =>
  state === FOLLOW.ending && command === COMMAND.unknown;

/** Why it cannot be ended now; undefined when it can. */
export function whyNot(row: Standing, able: boolean): string | undefined {
  if (!able) return NO_ABILITY;
  if ((followCan.close as readonly number[]).includes(row.state) || isAgain(row)) return undefined;
  return row.state === FOLLOW.ending ? '结束指令处理中，等待平台确认' : `当前为「${stateText(row.state)}」`;
}
