import type { Ability } from '@hengtai/contract/ability';
import type { Me } from '@hengtai/contract/session.schema';
import { createContext, use } from 'react';

/** The shell reads it once before any page is drawn, and then keeps it in step. */
export const MeContext = createContext<Me | null>(null);

/** The operator at work. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('useMe outside of the shell');
  return me;
}

/** Whether four-eyes are locked: what protects less then needs a second person. */
export const useLocked = (): boolean => useMe().fourEyes.locked;

/** Whether the operator has the ability; the top-level admin has all. */
export function useCan(ability: Ability): boolean {
  return can(useMe(), ability);
}

export const can = (me: Pick<Me, 'top' | 'abilities'>, ability: Ability): boolean =>
  me.top || me.abilities.includes(ability);
