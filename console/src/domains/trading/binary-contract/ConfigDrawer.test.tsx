// @vitest-environment happy-dom
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { MeContext } from '../../../api/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { TabContext } from '../../../navigation/page-route.ts';
import type { Tab } from '../../../navigation/tabs.ts';
import { ConfigDrawer } from './ConfigDrawer.tsx';

// Scripts take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const me = { id: 1, admin: 'admin', top: true, abilities: [] } as unknown as Me;
const tab = { key: '/second/config', search: '', params: {} } as unknown as Tab;

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const settings = {
  marketId: 0,
  marketName: '全部市场',
  seconds: 60,
  minAmount: '1',
  maxAmount: '0',
  sort: 1,
  state: 1,
};
const versions = [
  { ...settings, version: 2, payoutRate: '70', maxAmount: '100', by: 'bob', createdAt: 2 },
  { ...settings, version: 1, payoutRate: '80', by: null, createdAt: 1 },
];

async function versionsOf(row: object | null): Promise<(string | null)[]> {
  const answer = JSON.stringify({ code: 200, msg: '成功', data: { row, versions } });
  vi.stubGlobal('fetch', async () => new Response(answer));
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={me}>
        <TabContext value={tab}>
          <ConfigDrawer id={3} actions={() => <button type="button">修改</button>} onClose={() => undefined} />
        </TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
  const list = await screen.findByRole('list', { name: '历次版本' });
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
    .filter((text) => text.startsWith('第'));
}

test('a version shows what it changed, and the first one everything', async () => {
  const [second, first] = await versionsOf({ ...versions[0], id: 3, running: 5 });
  expect(second).toMatch(/第 2 版.*bob.*收益率：80% → 70%最大下单：不限 → 100 USDT$/);
  expect(first).toMatch(
    /第 1 版.*市场：全部市场时长：60 秒收益率：80%最小下单：1 USDT最大下单：不限排序：1状态：启用$/,
  );
  expect(screen.getByText('5 笔')).toBeTruthy();
  expect(screen.getByText('修改')).toBeTruthy();
});

test('a deleted setting keeps its versions and has no actions', async () => {
  expect(await versionsOf(null)).toHaveLength(2);
  expect(screen.getByText(/设置已删除/)).toBeTruthy();
  expect(screen.queryByText('修改')).toBeNull();
});
