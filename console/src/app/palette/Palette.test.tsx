// @vitest-environment happy-dom
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { SearchRow } from '@hengtai/contract/desk/search/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MeContext } from '../../api/me.ts';
import { queryClient } from '../../api/query-client.ts';
import { setNavigate } from '../../navigation/open-path.ts';
import { setPages } from '../../navigation/page-table.ts';
import { pages } from '../pages.ts';
import { Palette } from './Palette.tsx';

// The results are loaded on demand.
configure({ asyncUtilTimeout: 60_000 });

const onCommand = vi.fn<React.ComponentProps<typeof Palette>['onCommand']>();
const onClose = vi.fn<() => void>();
const opened = vi.fn<(path: string) => void>();

let found: Partial<SearchRow>[];
beforeEach(() => {
  [onCommand, onClose, opened].forEach((mock) => mock.mockReset());
  found = [];
  setPages(pages);
  setNavigate((path) => opened(path));
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ code: 200, msg: '', data: found })));
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const userOf = (id: number, account: string) => ({ type: 'user' as const, id, account, state: 1, no: '', detail: '' });

async function open(me: Partial<Me> = {}) {
  const someone = { id: 1, top: false, planSet: false, abilities: [], kline: '', ...me } as unknown as Me;
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={someone}>
        <Palette onCommand={onCommand} onClose={onClose} />
      </MeContext>
    </QueryClientProvider>,
  );
  await screen.findByRole('group', { name: '页面' });
}

const input = () => screen.getByRole('combobox');
const type = (value: string) => fireEvent.change(input(), { target: { value } });
const press = (key: string, more: object = {}) => fireEvent.keyDown(input(), { key, ...more });
const selected = () => screen.getAllByRole('option').find((one) => one.getAttribute('aria-selected') === 'true');

test('a page is opened by the initials of its title; arrows choose, and a composed Enter chooses nothing', async () => {
  await open();
  type('zjjl');
  await waitFor(() => expect(selected()?.textContent).toContain('资金记录'));
  press('Enter', { isComposing: true });
  press('ArrowDown');
  press('ArrowUp');
  expect(opened).not.toHaveBeenCalled();
  press('Enter');
  await waitFor(() => expect(opened.mock.calls).toEqual([['/fund/record']]));
  expect(onClose).toHaveBeenCalled();
});

test('an account that begins with the input goes before pages that match it, unless the input names a page', async () => {
  found = [userOf(7, 'txjlx')];
  await open();
  // These letters also match 提现记录.
  type('txj');
  press('Enter');
  await waitFor(() => expect(opened.mock.calls).toEqual([['/user?id=7&open=7']]));
  type('txjl');
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('提现记录');
  await waitFor(() => expect(within(screen.getByRole('group', { name: '用户' })).getByText('txjlx')).toBeDefined());
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('提现记录');
});

test('verbs open pages and run commands, each with the abilities of the operator', async () => {
  found = [{ ...userOf(8, 'alice2'), state: 0 }, userOf(7, 'alice')];
  const abilities = [ABILITY.withdraw, ABILITY.users];
  await open({ abilities });
  type('切换主题');
  press('Enter');
  await waitFor(() => expect(onCommand.mock.calls).toEqual([[{ name: 'theme' }]]));
  for (const [text, path] of [
    ['dkkf', '/service'],
    ['开始审核', '/withdraw?state=0&sort=createdAt&queue=1'],
  ] as const) {
    type(text);
    press('Enter');
    await waitFor(() => expect(opened.mock.lastCall).toEqual([path]));
  }
  type('冻结 alice');
  press('Enter');
  const user = { id: 7, account: 'alice', state: 1 };
  await waitFor(() => expect(onCommand.mock.lastCall).toEqual([{ name: 'freeze', user }]));
});

test('nothing forbidden is offered', async () => {
  await open();
  for (const text of ['系统设置', 'sjrz', '开始审核', '冻结 alice']) {
    type(text);
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('没有找到'));
  }
});

test('a setting is found by any part of its name, and opens the settings with this one only', async () => {
  const setting = { id: 3, key: 'session.idle', name: '闲置退出(分钟)', group: '登录', remark: '' };
  vi.stubGlobal('fetch', async (address: string) => {
    const data = address.includes('config/list') ? [setting] : [];
    return new Response(JSON.stringify({ code: 200, msg: '', data }));
  });
  await open({ abilities: [ABILITY.platform] });
  type('退出');
  fireEvent.click(within(await screen.findByRole('group', { name: '设置' })).getByText('闲置退出(分钟)'));
  expect(opened.mock.calls).toEqual([['/config?find=%E9%97%B2%E7%BD%AE%E9%80%80%E5%87%BA%28%E5%88%86%E9%92%9F%29']]);
});
