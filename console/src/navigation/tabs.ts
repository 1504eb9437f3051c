import { create } from 'zustand';
import type { PageDef } from './page-def.ts';
import { matchPage } from './page-table.ts';

/** Maximum number of mounted pages; further tabs keep their address and data only. */
export const MOUNTED_MAX = 12;
const REOPEN_MAX = 20;
/** Opens where no other tab is left. */
export const HOME = '/home';

export interface Tab {
  /** The path including parameters; the query is not part of the identity. */
  key: string;
  page: PageDef;
  /** Of the record of a page with an id; undefined until it is loaded. */
  name: string | undefined;
  title: string;
  params: Readonly<Record<string, string | undefined>>;
  /** Query: `?a=1` or empty. */
  search: string;
  /** Incremented to remount the page. */
  gen: number;
  pinned: boolean;
}

export type SavedTab = Pick<Tab, 'key' | 'search' | 'pinned'> & Partial<Pick<Tab, 'name'>>;

interface Place {
  pathname: string;
  search: string;
}

export interface TabsState {
  tabs: readonly Tab[];
  /** Key of the active tab; null if no page has the address. */
  active: string | null;
  /** Keys of the mounted pages, most recently used last. */
  mounted: readonly string[];
  closed: readonly SavedTab[];
  /** Ids of forms with unsaved changes, by tab. */
  guarded: Readonly<Record<string, readonly string[]>>;
  restore: (saved: readonly SavedTab[], isAllowed: (page: PageDef) => boolean) => void;
  visit: (place: Place) => void;
  setSearch: (key: string, search: string) => void;
  /** Names the record of a tab; the title shows the name instead of the id. */
  setName: (key: string, name: string) => void;
  refresh: (key: string) => void;
  /** Closes tabs, but not the last one if it is home; returns the address to open next if the active tab was closed. */
  close: (keys: readonly string[]) => string | undefined;
  /** Removes the last closed tab from the list and returns it. */
  takeClosed: () => SavedTab | undefined;
  pin: (key: string, pinned: boolean) => void;
  move: (key: string, to: number) => void;
  guard: (key: string, form: string, dirty: boolean) => void;
}

export const pathOf = (tab: Pick<Tab, 'key' | 'search'>): string => tab.key + tab.search;

const titleOf = (page: PageDef, params: Tab['params'], name: string | undefined): string =>
  [page.title, name ?? params['id']].filter(Boolean).join(' ');

function tabAt({ key, search, pinned, name }: SavedTab): Tab | undefined {
  const match = matchPage(key);
  if (!match) return undefined;
  const { page, params } = match;
  const title = titleOf(page, params, name);
  return { key, page, name, title, params, search, gen: 0, pinned };
}

/** Sorts pinned tabs first and keeps the order otherwise. */
const pinnedFirst = (tabs: readonly Tab[]): readonly Tab[] => [
  ...tabs.filter((tab) => tab.pinned),
  ...tabs.filter((tab) => !tab.pinned),
];

/** The keys without home if no other tab would stay open. */
export const closableOf = (tabs: readonly Tab[], keys: readonly string[]): readonly string[] =>
  tabs.every(({ key }) => keys.includes(key)) ? keys.filter((key) => key !== HOME) : keys;

/** Marks a tab as most recently used; unmounts the least recently used page without unsaved changes. */
function markMounted(state: Pick<TabsState, 'mounted' | 'guarded'>, key: string): readonly string[] {
  const mounted = [...state.mounted.filter((one) => one !== key), key];
  while (mounted.length > MOUNTED_MAX) {
    const oldest = mounted.findIndex((one) => one !== key && !state.guarded[one]?.length);
    mounted.splice(Math.max(oldest, 0), 1);
  }
  return mounted;
}

const omitKeys = <T>(record: Readonly<Record<string, T>>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** Removes the guards of a page that is not kept when it is left. */
function dropLostGuards(state: TabsState, next: string): Pick<TabsState, 'guarded'> {
  const previous = state.tabs.find((tab) => tab.key === state.active);
  const isLost = previous && previous.key !== next && !previous.page.keep;
  return { guarded: isLost ? omitKeys(state.guarded, [previous.key]) : state.guarded };
}

function applyVisit(state: TabsState, { pathname, search }: Place): Partial<TabsState> {
  const old = state.tabs.find((tab) => tab.key === pathname);
  if (old && old.search === search && state.active === pathname) return state;
  const tab = old
    ? old.search === search
      ? old
      : { ...old, search }
    : tabAt({ key: pathname, search, pinned: false });
  if (!tab) return { active: null };
  const tabs = old ? state.tabs.map((one) => (one === old ? tab : one)) : pinnedFirst([...state.tabs, tab]);
  return { ...dropLostGuards(state, pathname), tabs, active: tab.key, mounted: markMounted(state, tab.key) };
}

/** Address of the tab to show after the active one is closed: that of its list, else the nearest, right side first. */
function findNeighbour(tabs: readonly Tab[], active: string, closing: readonly string[]): string {
  const at = tabs.findIndex((tab) => tab.key === active);
  const stays = (tab: Tab) => !closing.includes(tab.key);
  const list = tabs.find((tab) => stays(tab) && active.startsWith(`${tab.key}/`));
  const next = list ?? tabs.slice(at + 1).find(stays) ?? tabs.slice(0, Math.max(at, 0)).findLast(stays);
  return next ? pathOf(next) : HOME;
}

export const useTabs = create<TabsState>()((set, get) => ({
  tabs: [],
  active: null,
  mounted: [],
  closed: [],
  guarded: {},

  restore: (saved, isAllowed) => {
    const first: readonly SavedTab[] = saved.length === 0 ? [{ key: HOME, search: '', pinned: false }] : saved;
    const tabs = first.flatMap((one) => tabAt(one) ?? []);
    set({ tabs: pinnedFirst(tabs.filter((tab) => isAllowed(tab.page))), mounted: [] });
  },
  visit: (place) => set((state) => applyVisit(state, place)),
  setSearch: (key, search) =>
    set(({ tabs }) => ({
      tabs: tabs.map((tab) => (tab.key === key && tab.search !== search ? { ...tab, search } : tab)),
    })),
  setName: (key, name) =>
    set(({ tabs }) => ({
      tabs: tabs.map((tab) =>
        tab.key === key && tab.name !== name ? { ...tab, name, title: titleOf(tab.page, tab.params, name) } : tab,
      ),
    })),
  refresh: (key) =>
    set(({ tabs, guarded }) => ({
      tabs: tabs.map((tab) => (tab.key === key ? { ...tab, gen: tab.gen + 1 } : tab)),
      guarded: omitKeys(guarded, [key]),
    })),
  close: (asked) => {
    const { tabs, active, mounted, closed, guarded } = get();
    const keys = closableOf(tabs, asked);
    const closing = tabs.filter((tab) => keys.includes(tab.key));
    set({
      tabs: tabs.filter((tab) => !keys.includes(tab.key)),
      mounted: mounted.filter((key) => !keys.includes(key)),
      closed: [...closed, ...closing.map(({ key, search, pinned, name }) => ({ key, search, pinned, name }))].slice(
        -REOPEN_MAX,
      ),
      guarded: omitKeys(guarded, keys),
    });
    return active !== null && keys.includes(active) ? findNeighbour(tabs, active, keys) : undefined;
  },
  takeClosed: () => {
    const { closed, tabs } = get();
    const last = closed.findLast((one) => !tabs.some((tab) => tab.key === one.key));
    set({ closed: last ? closed.slice(0, closed.lastIndexOf(last)) : [] });
    return last;
  },
  pin: (key, pinned) =>
    set(({ tabs }) => ({
      tabs: pinnedFirst(tabs.map((tab) => (tab.key === key ? { ...tab, pinned } : tab))),
    })),
  move: (key, to) =>
    set(({ tabs }) => {
      const tab = tabs.find((one) => one.key === key);
      if (!tab) return {};
      const rest = tabs.filter((one) => one.key !== key);
      return { tabs: pinnedFirst([...rest.slice(0, to), tab, ...rest.slice(to)]) };
    }),
  guard: (key, form, dirty) =>
    set(({ guarded }) => {
      const forms = guarded[key] ?? [];
      if (forms.includes(form) === dirty) return {};
      return { guarded: { ...guarded, [key]: dirty ? [...forms, form] : forms.filter((one) => one !== form) } };
    }),
}));
