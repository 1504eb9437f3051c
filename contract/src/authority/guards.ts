import { ABILITY, type Ability } from './ability.ts';
import { type ActionCallName, allActions } from './actions.ts';

/** Which abilities and uses of calls need a second person while four-eyes are locked. */

/** Abilities to move money, change protection, or approve. Granting one needs a second person. */
export const GUARDED_ABILITIES: readonly Ability[] = [
  ABILITY.users,
  ABILITY.assets,
  ABILITY.withdraw,
  ABILITY.platform,
  ABILITY.approval,
  ABILITY.audit,
  ABILITY.headquarters,
];

export const isGuardedAbility = (ability: number): boolean => GUARDED_ABILITIES.some((guarded) => guarded === ability);

interface CallGuard {
  /** Uses of the call that need a second person while locked; empty if none does. */
  loosening: string;
  /** Uses that need no confirmation because they only add protection. */
  tightening: string;
}

/** `noun.call` of every action. A bulk call is guarded as its action. */
export type MutatingCall = ActionCallName;

export const callGuards = Object.fromEntries(
  allActions.map(({ call, guard }): [MutatingCall, CallGuard] => {
    if (typeof guard === 'string') return [call, { loosening: guard === 'policy' ? '按复核策略' : '', tightening: '' }];
    return [call, { loosening: guard.loosens ?? '', tightening: guard.tightens ?? '' }];
  }),
) as Readonly<Record<MutatingCall, CallGuard>>;
