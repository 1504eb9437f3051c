// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { setNavigate } from '../navigation/open-path.ts';
import { setPages } from '../navigation/page-table.ts';
import { useTabs } from '../navigation/tabs.ts';
import { TabBar } from './TabBar.tsx';
import { pages } from './pages.ts';

// Popups take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const visit = (path: string) => {
  const [pathname = '', query] = path.split('?');
  useTabs.getState().visit({ pathname, search: query === undefined ? '' : `?${query}` });
};
const titles = () => screen.getAllByRole('tab').map((tab) => tab.textContent);
const tab = (title: string) => screen.getByTitle(title);
const activeKey = () => useTabs.getState().active;

function openTabs(...paths: string[]) {
  paths.forEach(visit);
  render(
    <QueryClientProvider client={queryClient}>
      <TabBar />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  setPages(pages);
  useTabs.setState({ tabs: [], active: null, mounted: [], closed: [], guarded: {} });
  setNavigate((path) => act(() => visit(path)));
});
afterEach(cleanup);

async function choose(title: string, action: string) {
  fireEvent.contextMenu(tab(title));
  fireEvent.click(await screen.findByRole('menuitem', { name: action }));
  cleanup();
  openTabs();
}

test('the menu of a tab closes others, left, right and all, keeps pinned tabs, and reopens', async () => {
  openTabs('/home', '/agent', '/market', '/trade/order', '/announce', '/config');
  await choose('市场管理', '固定');
  expect(titles()).toEqual(['市场管理', '首页', '代理管理', '现货交易', '公告管理', '系统设置']);
  await choose('现货交易', '关闭左侧');
  expect(titles()).toEqual(['市场管理', '现货交易', '公告管理', '系统设置']);
  await choose('公告管理', '关闭右侧');
  expect([titles(), activeKey()]).toEqual([['市场管理', '现货交易', '公告管理'], '/announce']);
  await choose('现货交易', '关闭其他');
  expect([titles(), activeKey()]).toEqual([['市场管理', '现货交易'], '/trade/order']);
  await choose('现货交易', '全部关闭');
  expect([titles(), activeKey()]).toEqual([['市场管理'], '/market']);
  await choose('市场管理', '重新打开关闭的标签页');
  expect(activeKey()).toBe('/trade/order');
  await choose('市场管理', '取消固定');
  await choose('市场管理', '全部关闭');
  expect([titles(), activeKey()]).toEqual([['首页'], '/home']);
  fireEvent.contextMenu(tab('首页'));
  const close = await screen.findByRole('menuitem', { name: '关闭' });
  expect(close.getAttribute('aria-disabled')).toBe('true');
});

test('arrow keys move the focus, with Alt and Shift the tab; Delete closes it, but not the only one', () => {
  openTabs('/home', '/agent', '/market');
  const press = (key: string, isMove = false) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, altKey: isMove, shiftKey: isMove });
  tab('市场管理').focus();
  press('ArrowLeft');
  expect(document.activeElement).toBe(tab('代理管理'));
  press('ArrowRight', true);
  expect(titles()).toEqual(['首页', '市场管理', '代理管理']);
  press('ArrowLeft', true);
  press('ArrowLeft', true);
  expect(titles()).toEqual(['代理管理', '首页', '市场管理']);
  press('Delete');
  expect(titles()).toEqual(['首页', '市场管理']);
  tab('首页').focus();
  press('Delete');
  expect(titles()).toEqual(['市场管理']);
  press('Delete');
  expect([titles(), activeKey()]).toEqual([['首页'], '/home']);
  tab('首页').focus();
  press('Delete');
  expect(titles()).toEqual(['首页']);
  expect(tab('首页').querySelector('[data-close]')).toBeNull();
});

test('a tab is moved by dragging, and closed by its cross', () => {
  openTabs('/home', '/agent', '/market');
  const drag = (type: 'dragStart' | 'dragOver' | 'drop', title: string) => {
    const event = createEvent[type](tab(title), { clientX: -1 });
    Object.assign(event, { dataTransfer: {} });
    fireEvent(tab(title), event);
  };
  drag('dragStart', '市场管理');
  drag('dragOver', '代理管理');
  drag('drop', '代理管理');
  expect(titles()).toEqual(['首页', '市场管理', '代理管理']);
  for (const title of ['市场管理', '首页']) {
    fireEvent.click(tab(title).querySelector('[data-close]') ?? document.body);
  }
  expect([titles(), activeKey()]).toEqual([['代理管理'], '/agent']);
});

test('a tab is a link with its query, which only a plain click opens in place', () => {
  openTabs('/user?account=zz*', '/home');
  const link = tab('用户列表');
  expect(link.getAttribute('href')).toBe('/user?account=zz*');
  const click = (keys: object) => {
    const event = createEvent.click(link, keys);
    // The browser would leave the document of the test.
    const preventDefault = vi.spyOn(event, 'preventDefault');
    fireEvent(link, event);
    return preventDefault.mock.calls.length > 0;
  };
  expect([click({ ctrlKey: true }), activeKey()]).toEqual([false, '/home']);
  expect([click({}), activeKey()]).toEqual([true, '/user']);
});
