import { create } from 'zustand';
import type { PageDef } from '../page-def.ts';
import { matchPage } from '../page-match.ts';

/** More pages than this are not kept mounted; the further tabs keep their address and their data. */
export const MOUNTED_MAX = 12;
const REOPEN_MAX = 20;

export interface Tab {
  /** The path with its parameters: a query never makes another tab. */
  key: string;
  page: PageDef;
  title: string;
  params: Readonly<Record<string, string | undefined>>;
  /** `?a=1`, or empty. */
  search: string;
  /** Grows when the tab is remounted. */
  gen: number;
  pinned: boolean;
}

export interface SavedTab {
  key: string;
  search: string;
  pinned: boolean;
}

interface Place {
  pathname: string;
  search: string;
}

export interface TabsState {
  tabs: readonly Tab[];
  /** Key of the tab in sight; null where the address belongs to no page. */
  active: string | null;
  /** Keys of the mounted pages, the last one used last. */
  mounted: readonly string[];
  closed: readonly SavedTab[];
  /** Unsaved forms, by tab. */
  guarded: Readonly<Record<string, readonly string[]>>;
  restore: (saved: readonly SavedTab[], allowed: (page: PageDef) => boolean) => void;
  visit: (place: Place) => void;
  setSearch: (key: string, search: string) => void;
  refresh: (key: string) => void;
  /** Takes tabs away and returns the address to show next, if the one in sight was among them. */
  close: (keys: readonly string[]) => string | undefined;
  /** The tab closed last, which is then no longer on the list. */
  takeClosed: () => SavedTab | undefined;
  pin: (key: string, pinned: boolean) => void;
  move: (key: string, to: number) => void;
  guard: (key: string, form: string, dirty: boolean) => void;
}

export const pathOf = (tab: Pick<Tab, 'key' | 'search'>): string => tab.key + tab.search;

function tabAt(pathname: string, search: string, pinned = false): Tab | undefined {
  const match = matchPage(pathname);
  if (!match) return undefined;
  const { page, params } = match;
  const title = params['id'] ? `${page.title} ${params['id']}` : page.title;
  return { key: pathname, page, title, params, search, gen: 0, pinned };
}

/** Pinned tabs stand first; otherwise the order is the operator's. */
const pinnedFirst = (tabs: readonly Tab[]): readonly Tab[] => [
  ...tabs.filter((tab) => tab.pinned),
  ...tabs.filter((tab) => !tab.pinned),
];

/** Brings a tab to the end of the mounted ones; the one unused for longest is let go, unless it holds unsaved work. */
function mount(state: Pick<TabsState, 'mounted' | 'guarded'>, key: string): readonly string[] {
  const mounted = [...state.mounted.filter((one) => one !== key), key];
  while (mounted.length > MOUNTED_MAX) {
    const idle = mounted.findIndex((one) => one !== key && !state.guarded[one]?.length);
    mounted.splice(Math.max(idle, 0), 1);
  }
  return mounted;
}

const without = <T>(record: Readonly<Record<string, T>>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** What is left behind on a page that is not kept is gone, and no longer guarded. */
function leave(state: TabsState, next: string): Pick<TabsState, 'guarded'> {
  const left = state.tabs.find((tab) => tab.key === state.active);
  const lost = left && left.key !== next && !left.page.keep;
  return { guarded: lost ? without(state.guarded, [left.key]) : state.guarded };
}

function visited(state: TabsState, { pathname, search }: Place): Partial<TabsState> {
  const old = state.tabs.find((tab) => tab.key === pathname);
  if (old && old.search === search && state.active === pathname) return state;
  const tab = old ? (old.search === search ? old : { ...old, search }) : tabAt(pathname, search);
  if (!tab) return { active: null };
  const tabs = old ? state.tabs.map((one) => (one === old ? tab : one)) : [...state.tabs, tab];
  return { ...leave(state, pathname), tabs, active: tab.key, mounted: mount(state, tab.key) };
}

/** Where to go when these tabs go: the nearest neighbour that stays, the right one first. */
function neighbour(tabs: readonly Tab[], active: string, closing: readonly string[]): string {
  const at = tabs.findIndex((tab) => tab.key === active);
  const stays = (tab: Tab) => !closing.includes(tab.key);
  const next = tabs.slice(at + 1).find(stays) ?? tabs.slice(0, Math.max(at, 0)).findLast(stays);
  return next ? pathOf(next) : '/home';
}

export const useTabs = create<TabsState>()((set, get) => ({
  tabs: [],
  active: null,
  mounted: [],
  closed: [],
  guarded: {},

  restore: (saved, allowed) => {
    const tabs = saved.flatMap(({ key, search, pinned }) => tabAt(key, search, pinned) ?? []);
    set({ tabs: pinnedFirst(tabs.filter((tab) => allowed(tab.page))), mounted: [] });
  },
  visit: (place) => set((state) => visited(state, place)),
  setSearch: (key, search) =>
    set(({ tabs }) => ({
      tabs: tabs.map((tab) => (tab.key === key && tab.search !== search ? { ...tab, search } : tab)),
    })),
  refresh: (key) =>
    set(({ tabs, guarded }) => ({
      tabs: tabs.map((tab) => (tab.key === key ? { ...tab, gen: tab.gen + 1 } : tab)),
      guarded: without(guarded, [key]),
    })),
  close: (keys) => {
    const { tabs, active, mounted, closed, guarded } = get();
    const gone = tabs.filter((tab) => keys.includes(tab.key));
    set({
      tabs: tabs.filter((tab) => !keys.includes(tab.key)),
      mounted: mounted.filter((key) => !keys.includes(key)),
      closed: [...closed, ...gone.map(({ key, search, pinned }) => ({ key, search, pinned }))].slice(-REOPEN_MAX),
      guarded: without(guarded, keys),
    });
    return active !== null && keys.includes(active) ? neighbour(tabs, active, keys) : undefined;
  },
  takeClosed: () => {
    const { closed, tabs } = get();
    const last = closed.findLast((one) => !tabs.some((tab) => tab.key === one.key));
    set({ closed: last ? closed.slice(0, closed.lastIndexOf(last)) : [] });
    return last;
  },
  pin: (key, pinned) =>
    set(({ tabs }) => ({ tabs: pinnedFirst(tabs.map((tab) => (tab.key === key ? { ...tab, pinned } : tab))) })),
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
