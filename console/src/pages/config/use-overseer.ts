import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { useCan } from '../../api/me.ts';

/** Why the history of the settings is not to be read; undefined for those who oversee the whole house. */
export const useWhyNoHistory = (): string | undefined =>
  useCan(ABILITY.headquarters) ? undefined : `仅顶级管理员和「${abilityLabels[ABILITY.headquarters]}」可查看`;
