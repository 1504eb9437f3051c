// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { pages as pageTable } from '../app/pages.ts';
import { setPages } from './page-table.ts';
import { MOUNTED_MAX, useTabs } from './tabs.ts';

setPages(pageTable);

const visit = (path: string) => {
  const [pathname = '', query] = path.split('?');
  useTabs.getState().visit({ pathname, search: query === undefined ? '' : `?${query}` });
};
const keys = () => useTabs.getState().tabs.map((tab) => tab.key);
const state = () => useTabs.getState();

beforeEach(() => {
  useTabs.setState({ tabs: [], active: null, mounted: [], closed: [], guarded: {} });
});

test('a query is part of its tab, and an unchanged tab keeps its identity', () => {
  visit('/user?page=2');
  visit('/home');
  const [user] = state().tabs;
  visit('/user?page=2');
  expect(state().tabs[0]).toBe(user);
  visit('/user?page=3');
  expect(keys()).toEqual(['/user', '/home']);
  expect(state().tabs[0]?.search).toBe('?page=3');
});

test('an address without a page opens no tab', () => {
  visit('/home');
  visit('/nothing');
  expect(keys()).toEqual(['/home']);
  expect(state().active).toBeNull();
});

test('unmounts the least recently used page without unsaved changes', () => {
  visit('/user');
  state().guard('/user', 'form', true);
  const pages = Array.from({ length: MOUNTED_MAX + 2 }, (_, i) => `/announce/update/${i}`);
  pages.forEach(visit);
  const { mounted, tabs } = state();
  expect(mounted).toHaveLength(MOUNTED_MAX);
  expect(mounted.at(-1)).toBe(pages.at(-1));
  expect(mounted).toContain('/user');
  expect(mounted).not.toContain(pages[0]);
  expect(tabs).toHaveLength(pages.length + 1);
});

test('leaving a page that is not kept removes its guard', () => {
  visit('/market/add');
  state().guard('/market/add', 'form', true);
  visit('/home');
  expect(state().guarded['/market/add']).toBeUndefined();
});

test('closing the active tab opens its right neighbour, else the left one, else home', () => {
  ['/home', '/user?page=2', '/market'].forEach(visit);
  visit('/user?page=2');
  expect(state().close(['/user'])).toBe('/market');
  visit('/market');
  expect(state().close(['/market'])).toBe('/home');
  expect(keys()).toEqual(['/home']);
  expect(state().takeClosed()?.key).toBe('/market');
  expect(state().takeClosed()).toMatchObject({ key: '/user', search: '?page=2' });
});

test('home closes like the others, and opens where the last tab was closed', () => {
  ['/user', '/home', '/market'].forEach(visit);
  visit('/home');
  expect(state().close(['/home'])).toBe('/market');
  visit('/market');
  expect(keys()).toEqual(['/user', '/market']);
  expect(state().close(['/user', '/market'])).toBe('/home');
  expect(keys()).toEqual([]);
  visit('/home');
  // The only tab stays, and its data as well.
  expect(state().close(['/home'])).toBeUndefined();
  expect([keys(), state().mounted]).toEqual([['/home'], ['/home']]);
  visit('/user');
  expect(state().close(['/home', '/user'])).toBe('/home');
  expect(keys()).toEqual(['/home']);
});

test('closing a page below a list opens that list', () => {
  ['/home', '/market?page=2', '/market/add', '/user'].forEach(visit);
  visit('/market/add');
  expect(state().close(['/market/add'])).toBe('/market?page=2');
});

test('pinned tabs stay first wherever they are moved', () => {
  ['/home', '/user', '/market'].forEach(visit);
  state().pin('/market', true);
  expect(keys()).toEqual(['/market', '/home', '/user']);
  state().move('/market', 2);
  expect(keys()).toEqual(['/market', '/home', '/user']);
  state().move('/user', 0);
  expect(keys()).toEqual(['/market', '/user', '/home']);
  state().pin('/home', true);
  expect(keys()).toEqual(['/market', '/home', '/user']);
});

test('restores only tabs of allowed pages', () => {
  const saved = ['/user', '/config', '/gone'].map((key) => ({ key, search: '', pinned: false }));
  state().restore(saved, (page) => !page.planSet);
  expect(keys()).toEqual(['/user']);
  // A new window has nothing to restore.
  state().restore([], () => true);
  expect(keys()).toEqual(['/home']);
});

test('the title of a tab shows the name of its record once it is known', () => {
  visit('/market/update/12');
  expect(state().tabs[0]?.title).toBe('编辑市场 12');
  state().setName('/market/update/12', 'BTC');
  expect(state().tabs[0]?.title).toBe('编辑市场 BTC');
});
