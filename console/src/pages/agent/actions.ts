import { agent } from '@hengtai/contract/agent';
import { approval } from '@hengtai/contract/approval';
import { home } from '@hengtai/contract/home';
import { user } from '@hengtai/contract/user';
import { useMemo } from 'react';
import { useAction } from '../../api/hooks.ts';
import { runWithToast } from '../../api/run-with-toast.ts';
import type { DisplayError } from '../../ui/display-error.ts';

/** Reads that may no longer be true once something was done to an agent. */
export const STALE = [agent.list, agent.detail];
/** As well as those whose rows say to which agent they belong. */
export const MOVED = [...STALE, user.list, user.detail, approval.list, home.state];

export type Turn = (id: number, type: number, state: 0 | 1, key: string) => Promise<DisplayError | undefined>;

/** Grants or takes one ability. */
export function useTurn(): Turn {
  const { submit } = useAction(agent.state, { invalidate: STALE });
  return useMemo(() => (id, type, state, key) => runWithToast(() => submit({ id, type, state }, key)), [submit]);
}
