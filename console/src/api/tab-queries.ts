import { type QueryClient, type QueryKey, hashKey } from '@tanstack/react-query';
import { createContext } from 'react';

/** Key of the tab that owns the queries; the shell provides it around each page. */
export const QueryTab = createContext<string | null>(null);

const keysByTab = new Map<string, Map<string, QueryKey>>();

/** Records that a tab uses a query, so that its data lives as long as the tab. */
export function registerQuery(tabKey: string | null, key: QueryKey) {
  if (tabKey === null) return;
  const keys = keysByTab.get(tabKey) ?? new Map<string, QueryKey>();
  keys.set(hashKey(key), key);
  keysByTab.set(tabKey, keys);
}

/** Called when a tab is closed: drops the queries that no other tab uses. */
export function clearTabQueries(client: QueryClient, tabKey: string) {
  const keys = keysByTab.get(tabKey);
  keysByTab.delete(tabKey);
  for (const [hash, queryKey] of keys ?? []) {
    const shared = [...keysByTab.values()].some((other) => other.has(hash));
    if (!shared) client.removeQueries({ queryKey, exact: true, type: 'inactive' });
  }
}

/** Called when a tab is remounted: marks its queries stale, so that they are refetched when next rendered. */
export async function invalidateTabQueries(client: QueryClient, tabKey: string) {
  const keys = [...(keysByTab.get(tabKey)?.values() ?? [])];
  keysByTab.delete(tabKey);
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })));
}
