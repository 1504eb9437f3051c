import type { Me } from '@hengtai/contract/house/session/schema';
import { can } from '../api/me.ts';
import type { PageDef } from './page-def.ts';

/** Whether the operator may open the page: it has all abilities that the page requires, and one of those that it offers. */
export const canOpen = (
  me: Pick<Me, 'top' | 'abilities' | 'planSet'>,
  { planSet, abilities = [], anyAbility }: PageDef,
): boolean =>
  (!planSet || me.planSet) &&
  abilities.every((ability) => can(me, ability)) &&
  (anyAbility === undefined || anyAbility.some((ability) => can(me, ability)));
