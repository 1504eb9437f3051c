import type { AgentRow } from '@hengtai/contract/agent.schema';
import { isGuardedAbility } from '@hengtai/contract/four-eyes';
import { useLocked } from '../../api/me.ts';

/** Whether what is done to this agent needs a second person: four-eyes are locked, and it holds a guarded ability. */
export const useGuardedHolder = ({ abilities }: Pick<AgentRow, 'abilities'>): boolean =>
  useLocked() && abilities.some(isGuardedAbility);
