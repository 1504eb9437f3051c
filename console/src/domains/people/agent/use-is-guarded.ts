import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { isGuardedAbility } from '@hengtai/contract/authority/guards';
import { useFourEyesLocked } from '../../../api/me.ts';

/** True if a change of this agent needs a checker: four-eyes are locked and the agent holds a guarded ability. */
export const useIsGuarded = ({ abilities }: Pick<AgentRow, 'abilities'>): boolean =>
  useFourEyesLocked() && abilities.some(isGuardedAbility);
