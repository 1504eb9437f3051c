import { type QueryClient, type QueryKey, hashKey } from '@tanstack/react-query';
import { createContext } from 'react';

/** Name of the tab whose queries these are. The shell provides it around each page. */
export const QueryScope = createContext<string | null>(null);

const keysByScope = new Map<string, Map<string, QueryKey>>();

/** Notes that a tab uses a query, so that its data lives as long as the tab, hidden or not. */
export function registerQuery(scope: string | null, key: QueryKey) {
  if (scope === null) return;
  const keys = keysByScope.get(scope) ?? new Map<string, QueryKey>();
  keys.set(hashKey(key), key);
  keysByScope.set(scope, keys);
}

/** The tab was closed: drops what no other tab uses. */
export function dropScope(client: QueryClient, scope: string) {
  const keys = keysByScope.get(scope);
  keysByScope.delete(scope);
  for (const [hash, queryKey] of keys ?? []) {
    const shared = [...keysByScope.values()].some((other) => other.has(hash));
    if (!shared) client.removeQueries({ queryKey, exact: true, type: 'inactive' });
  }
}

/** The tab is remounted: each of its queries is read again when it is next visible. */
export async function staleScope(client: QueryClient, scope: string) {
  const keys = [...(keysByScope.get(scope)?.values() ?? [])];
  keysByScope.delete(scope);
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })));
}
