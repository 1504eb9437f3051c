import { ABILITY, type Ability } from '@hengtai/contract/authority/ability';
import type { Me } from '@hengtai/contract/house/session/schema';
import { createContext, use } from 'react';

/** The operator; the shell loads it before rendering any page and refreshes it. */
export const MeContext = createContext<Me | null>(null);

/**
 * The logged-in operator.
 *
 * @throws Error outside the shell
 */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('useMe outside of the shell');
  return me;
}

/** Whether four-eyes are locked: loosening a protection then needs a second person. */
export const useFourEyesLocked = (): boolean => useMe().fourEyes.locked;

/** Whether the operator has the ability; the top-level admin has all. */
export function useCan(ability: Ability): boolean {
  return can(useMe(), ability);
}

/** Whether the operator sees every agent and user, not only its own subtree. */
export const useHasFullScope = (): boolean => useCan(ABILITY.headquarters);

export const can = (me: Pick<Me, 'top' | 'abilities'>, ability: Ability): boolean =>
  me.top || me.abilities.includes(ability);
