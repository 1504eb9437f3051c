// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { MOUNTED_MAX, useTabs } from './tabs.ts';

const at = (path: string) => {
  const [pathname = '', query] = path.split('?');
  useTabs.getState().visit({ pathname, search: query === undefined ? '' : `?${query}` });
};
const keys = () => useTabs.getState().tabs.map((tab) => tab.key);
const state = () => useTabs.getState();

beforeEach(() => {
  useTabs.setState({ tabs: [], active: null, mounted: [], closed: [], guarded: {} });
});

test('a query belongs to its tab, and an unchanged tab keeps its identity', () => {
  at('/user?page=2');
  at('/home');
  const [user] = state().tabs;
  at('/user?page=2');
  expect(state().tabs[0]).toBe(user);
  at('/user?page=3');
  expect(keys()).toEqual(['/user', '/home']);
  expect(state().tabs[0]?.search).toBe('?page=3');
});

test('an address of no page opens no tab', () => {
  at('/home');
  at('/nothing');
  expect(keys()).toEqual(['/home']);
  expect(state().active).toBeNull();
});

test('the page unused for longest is let go, one with unsaved work is not', () => {
  at('/user');
  state().guard('/user', 'form', true);
  const pages = Array.from({ length: MOUNTED_MAX + 2 }, (_, i) => `/announce/update/${i}`);
  pages.forEach(at);
  const { mounted, tabs } = state();
  expect(mounted).toHaveLength(MOUNTED_MAX);
  expect(mounted.at(-1)).toBe(pages.at(-1));
  expect(mounted).toContain('/user');
  expect(mounted).not.toContain(pages[0]);
  expect(tabs).toHaveLength(pages.length + 1);
});

test('what is left on a page that is not kept is no longer guarded', () => {
  at('/market/add');
  state().guard('/market/add', 'form', true);
  at('/home');
  expect(state().guarded['/market/add']).toBeUndefined();
});

test('closing the tab in sight leads to its right neighbour, then to the left one, then home', () => {
  ['/home', '/user?page=2', '/market'].forEach(at);
  at('/user?page=2');
  expect(state().close(['/user'])).toBe('/market');
  at('/market');
  expect(state().close(['/market'])).toBe('/home');
  expect(state().close(['/home'])).toBeUndefined();
  expect(state().takeClosed()?.key).toBe('/home');
  expect(state().takeClosed()?.key).toBe('/market');
  expect(state().takeClosed()).toMatchObject({ key: '/user', search: '?page=2' });
});

test('pinned tabs stand first, wherever they are moved', () => {
  ['/home', '/user', '/market'].forEach(at);
  state().pin('/market', true);
  expect(keys()).toEqual(['/market', '/home', '/user']);
  state().move('/market', 2);
  expect(keys()).toEqual(['/market', '/home', '/user']);
  state().move('/user', 0);
  expect(keys()).toEqual(['/market', '/user', '/home']);
});

test('only tabs that lead to allowed pages are taken up again', () => {
  const saved = ['/user', '/config', '/gone'].map((key) => ({ key, search: '', pinned: false }));
  state().restore(saved, (page) => !page.planSet);
  expect(keys()).toEqual(['/user']);
});
