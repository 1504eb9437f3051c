// @vitest-environment happy-dom
import type { KycFound } from '@hengtai/contract/risk/kyc/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MeContext } from '../../../api/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { TabContext } from '../../../navigation/page-route.ts';
import type { Tab } from '../../../navigation/tabs.ts';
import { FindDialog } from './FindDialog.tsx';

// Scripts and dialogs take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const row = { id: 41, userId: 7, account: 'alice', name: '欧**', idNumber: '110***********0021', state: 1, level: 2 };
const me = { id: 1, admin: 'admin', top: true, abilities: [] } as unknown as Me;
const onClose = vi.fn<() => void>();
let found: Pick<KycFound, 'total' | 'keying'> & { list: object[] };
let sent: { url: string; body: unknown }[];

beforeEach(() => {
  found = { list: [{ ...row, createdAt: 1_800_000_000_000 }], total: 1, keying: false };
  sent = [];
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    if (body) sent.push({ url, body: JSON.parse(body) });
    return new Response(JSON.stringify({ code: 200, msg: '操作成功', data: found }));
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={me}>
        <TabContext value={{ key: '/auth', search: '', params: {} } as unknown as Tab}>
          <FindDialog onClose={onClose} />
        </TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const text = () => screen.getByRole('dialog').textContent;
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const search = () => fireEvent.submit(document.querySelector('form') ?? document.body);

test('shows masked rows that lead to their records, and the rows go when the search is changed', async () => {
  fill('姓名', ' 欧阳晓明 ');
  search();
  expect((await screen.findByRole('link', { name: '41' })).getAttribute('href')).toBe('/auth?open=41');
  expect(sent).toEqual([{ url: expect.stringMatching(/auth\/find$/), body: { name: '欧阳晓明' } }]);
  for (const part of ['欧**', '110***********0021', '已通过', '高级认证', '共 1 条']) expect(text()).toContain(part);
  fill('证件号码', '1');
  expect(screen.queryByRole('link', { name: '41' })).toBeNull();
});

test('says that there is more, that there is nothing, and what is missing', async () => {
  search();
  expect(text()).toContain('请输入姓名或证件号码');
  fill('证件号码', '   ');
  search();
  expect(sent).toEqual([]);
  found = { ...found, total: 21 };
  fill('证件号码', 'AB-1');
  expect(text()).not.toContain('请输入姓名');
  search();
  await waitFor(() => expect(text()).toContain('共 21 条，列出最近 20 条'));
  expect(text()).not.toContain('补齐中');
  found = { list: [], total: 0, keying: true };
  search();
  await waitFor(() => expect(text()).toContain('没有符合的认证'));
  expect(text()).not.toContain('共 ');
  expect(text()).toContain('补齐中，结果可能不全');
  expect(sent.map(({ body }) => body)).toEqual([{ idNumber: 'AB-1' }, { idNumber: 'AB-1' }]);
});
