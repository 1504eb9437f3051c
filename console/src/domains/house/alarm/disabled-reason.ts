import { abilityLabels } from '@hengtai/contract/authority/ability';
import { alarmAbility } from '@hengtai/contract/house/alarm/calls';
import { ALARM } from '@hengtai/contract/house/alarm/facts';
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { can } from '../../../api/me.ts';

/** The reason why the operator cannot close an alarm; undefined if it can. */
export function disabledReasonOf(
  { kind, state, by }: Pick<AlarmRow, 'kind' | 'state' | 'by'>,
  me: Me,
): string | undefined {
  if (state === ALARM.closed) return `已由 ${by ?? '--'} 关闭`;
  const ability = alarmAbility(kind);
  return can(me, ability) ? undefined : `没有「${abilityLabels[ability]}」权限`;
}
