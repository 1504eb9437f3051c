import { type QueryClient, type QueryKey, hashKey } from '@tanstack/react-query';
import { createContext } from 'react';

/** Key of the tab that owns the queries; the shell provides it around each page. */
export const QueryScope = createContext<string | null>(null);

const keysByScope = new Map<string, Map<string, QueryKey>>();

/** Records that a tab uses a query, so that its data lives as long as the tab. */
export function registerQuery(scope: string | null, key: QueryKey) {
  if (scope === null) return;
  const keys = keysByScope.get(scope) ?? new Map<string, QueryKey>();
  keys.set(hashKey(key), key);
  keysByScope.set(scope, keys);
}

/** Called when a tab is closed: drops the queries that no other tab uses. */
export function clearScope(client: QueryClient, scope: string) {
  const keys = keysByScope.get(scope);
  keysByScope.delete(scope);
  for (const [hash, queryKey] of keys ?? []) {
    const shared = [...keysByScope.values()].some((other) => other.has(hash));
    if (!shared) client.removeQueries({ queryKey, exact: true, type: 'inactive' });
  }
}

/** Called when a tab is remounted: marks its queries stale, so that they are refetched when next rendered. */
export async function invalidateScope(client: QueryClient, scope: string) {
  const keys = [...(keysByScope.get(scope)?.values() ?? [])];
  keysByScope.delete(scope);
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })));
}
