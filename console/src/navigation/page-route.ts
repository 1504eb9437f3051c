import { createContext, use, useCallback, useEffect, useId, useMemo } from 'react';
import { type Tab, useTabs } from './tabs.ts';
import { openPath } from './open-path.ts';
import { matchPage } from './page-table.ts';

export const TabContext = createContext<Tab | null>(null);
/** Whether the tab is active. A separate context, so that switching tabs does not re-render hidden pages. */
export const ActiveContext = createContext(true);

export type SetSearch = (
  next: URLSearchParams | ((previous: URLSearchParams) => URLSearchParams),
  options?: { replace?: boolean },
) => void;

export interface PageRoute {
  /** Key of the tab: the path including its parameters. */
  key: string;
  /** Path with query. */
  path: string;
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
  setSearch: SetSearch;
  active: boolean;
  /** Opens another page in a tab. */
  open: (path: string) => void;
}

function useTab(): Tab {
  const tab = use(TabContext);
  if (!tab) throw new Error('usePageRoute outside of a tab');
  return tab;
}

/**
 * The address of the tab that renders the page; a hidden page keeps its own.
 *
 * @throws Error outside a tab
 */
export function usePageRoute(): PageRoute {
  const tab = useTab();
  const active = use(ActiveContext);
  const { key } = tab;
  const search = useMemo(() => new URLSearchParams(tab.search), [tab.search]);
  const setSearch = useCallback<SetSearch>(
    (next, options) => {
      const state = useTabs.getState();
      const before = new URLSearchParams(state.tabs.find((one) => one.key === key)?.search);
      const text = (typeof next === 'function' ? next(before) : next).toString();
      const query = text && `?${text}`;
      if (state.active === key) openPath(key + query, options);
      else state.setSearch(key, query);
    },
    [key],
  );
  return { key, path: key + tab.search, params: tab.params, search, setSearch, active, open: openPage };
}

const openPage = (path: string) => openPath(path);

/** The title of the page in the table of pages. */
export function usePageTitle(): string {
  const { key } = useTab();
  return useMemo(() => matchPage(key)?.page.title ?? '', [key]);
}

/** Whether the tab of the page is active. */
export const usePageActive = (): boolean => use(ActiveContext);

/** Shows the name of the page's record in the title of its tab once it is known. */
export function useTabName(name: string | undefined) {
  const { key } = useTab();
  useEffect(() => {
    if (name !== undefined && name !== '') useTabs.getState().setName(key, name);
  }, [key, name]);
}

/** Marks the tab as having unsaved changes; closing the tab or window then asks first. */
export function useTabGuard(dirty: boolean) {
  const { key } = useTab();
  const id = useId();
  const guard = useTabs((state) => state.guard);
  useEffect(() => {
    guard(key, id, dirty);
    return () => {
      // Hiding the tab also cleans up effects but keeps the form, so the guard is removed only if the form unmounts in
      // the active tab.
      if (useTabs.getState().active === key) guard(key, id, false);
    };
  }, [dirty, guard, key, id]);
}
