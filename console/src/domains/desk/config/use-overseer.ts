import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { useCan } from '../../../api/me.ts';

/** The reason why the operator cannot read the history of settings; undefined for headquarters and the admin. */
export const useHistoryDisabledReason = (): string | undefined =>
  useCan(ABILITY.headquarters) ? undefined : `仅顶级管理员和「${abilityLabels[ABILITY.headquarters]}」可查看`;
