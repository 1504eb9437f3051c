import { agent } from '@hengtai/contract/people/agent/calls';
import { type Ability, abilityLabels } from '@hengtai/contract/authority/ability';
import { useMemo } from 'react';
import { useAction } from '../../../api/hooks.ts';
import { runWithToast } from '../../../api/run-with-toast.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';

export type SwitchAbility = (id: number, type: number, state: 0 | 1, key: string) => Promise<DisplayError | undefined>;

/** Returns the call that grants (1) or revokes (0) an ability. */
export function useSwitchAbility(): SwitchAbility {
  const { submit } = useAction(agent.state);
  return useMemo(
    () => (id, type, state, key) =>
      runWithToast(
        () => submit({ id, type, state }, key),
        `已${state ? '授予' : '收回'}「${abilityLabels[type as Ability]}」`,
      ),
    [submit],
  );
}
