import { createContext, use, useCallback, useEffect, useId, useMemo } from 'react';
import { type Tab, useTabs } from './tabs.ts';
import { go } from './go.ts';

export const TabContext = createContext<Tab | null>(null);
/** Whether the page is in sight. Apart from the tab, so that a switch does not draw hidden pages again. */
export const ActiveContext = createContext(true);

export type SetSearch = (
  next: URLSearchParams | ((previous: URLSearchParams) => URLSearchParams),
  options?: { replace?: boolean },
) => void;

export interface PageRoute {
  /** Identity of the tab: the path with its parameters. */
  key: string;
  /** The address below the origin, query included. */
  path: string;
  params: Readonly<Record<string, string | undefined>>;
  search: URLSearchParams;
  setSearch: SetSearch;
  active: boolean;
  /** Opens another page as a tab. */
  open: (path: string) => void;
}

function useTab(): Tab {
  const tab = use(TabContext);
  if (!tab) throw new Error('usePageRoute outside of a tab');
  return tab;
}

/** The page's own address. A hidden page goes on seeing its own, whatever the window shows. */
export function usePageRoute(): PageRoute {
  const tab = useTab();
  const active = use(ActiveContext);
  const { key } = tab;
  const search = useMemo(() => new URLSearchParams(tab.search), [tab.search]);
  const setSearch = useCallback<SetSearch>(
    (next, options) => {
      const now = useTabs.getState();
      const before = new URLSearchParams(now.tabs.find((one) => one.key === key)?.search);
      const text = (typeof next === 'function' ? next(before) : next).toString();
      const query = text && `?${text}`;
      if (now.active === key) go(key + query, options);
      else now.setSearch(key, query);
    },
    [key],
  );
  return { key, path: key + tab.search, params: tab.params, search, setSearch, active, open: openPage };
}

const openPage = (path: string) => go(path);

/** Whether the page is in sight. */
export const usePageActive = (): boolean => use(ActiveContext);

/** A form with changes that were not saved: closing the tab or the window asks first. */
export function useTabGuard(dirty: boolean) {
  const { key } = useTab();
  const id = useId();
  const guard = useTabs((state) => state.guard);
  useEffect(() => {
    guard(key, id, dirty);
    return () => {
      // Hiding the tab ends effects and keeps the form; only a form that goes away in sight has nothing to guard.
      if (useTabs.getState().active === key) guard(key, id, false);
    };
  }, [dirty, guard, key, id]);
}
