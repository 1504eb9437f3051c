import { CODE } from '@hengtai/contract/wire/envelope';
import { useQuery } from '@tanstack/react-query';
import { CallError, send } from './client.ts';
import { useHasFullScope, useMe } from './me.ts';

const STALE_MS = 10 * 60_000;

/** Whether the reader may open the operator. An account is looked up once for all cells, by the scoped read. */
export function useIsOperatorInScope(account: string): boolean {
  const { admin } = useMe();
  const hasFullScope = useHasFullScope();
  const isKnown = hasFullScope || account === admin;
  const { data: isFound = false } = useQuery({
    queryKey: ['isOperatorFound', account],
    queryFn: ({ signal }) => isOperatorFound(account, signal),
    enabled: !isKnown,
    staleTime: STALE_MS,
  });
  return isKnown || isFound;
}

async function isOperatorFound(account: string, signal: AbortSignal): Promise<boolean> {
  // Loaded on demand to keep it out of pages whose reader has full scope.
  const { agent } = await import('@hengtai/contract/people/agent/calls');
  try {
    await send(agent.find, { account }, { signal });
    return true;
  } catch (error) {
    // Operators above the reader, and deleted ones.
    if (error instanceof CallError && error.code === CODE.notFound) return false;
    throw error;
  }
}
