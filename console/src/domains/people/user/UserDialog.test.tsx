// @vitest-environment happy-dom
import type { Me } from '@hengtai/contract/house/session/schema';
import { user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MeContext } from '../../../api/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { TabContext } from '../../../navigation/page-route.ts';
import type { Tab } from '../../../navigation/tabs.ts';
import { UserDialog } from './UserDialog.tsx';
import type { UserAction } from './words.ts';

// Scripts and dialogs take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const row = { id: 7, account: 'alice', agent: 'admin', state: 1, winType: 0, winRate: null, remark: '' } as UserRow;
const me = { id: 1, admin: 'admin', top: true, abilities: [], fourEyes: { locked: false } } as unknown as Me;
const onClose = vi.fn<() => void>();
const onRemoved = vi.fn<(id: number) => void>();

interface Answer {
  code: number;
  msg: string;
  data: unknown;
}
let answers: Record<string, Answer>;
let sent: Record<string, unknown>[];

beforeEach(() => {
  [onClose, onRemoved].forEach((mock) => mock.mockReset());
  answers = {};
  sent = [];
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    if (body) sent.push(JSON.parse(body) as Record<string, unknown>);
    const path = Object.keys(answers).find((one) => url.includes(one)) ?? '';
    return new Response(JSON.stringify(answers[path] ?? { code: 200, msg: '成功', data: {} }));
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function open(action: UserAction) {
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={me}>
        <TabContext value={{ key: '/user', search: '', params: {} } as unknown as Tab}>
          <UserDialog action={action} row={row} onClose={onClose} onRemoved={onRemoved} />
        </TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
}

const text = () => screen.getByRole('dialog').textContent;
const confirmButton = () => document.querySelector<HTMLButtonElement>('[data-verb]');
const click = (name: string | RegExp) => fireEvent.click(screen.getByText(name));
const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const confirm = () => fireEvent.click(confirmButton() ?? document.body);

test('a generated password is shown once, after it was saved', async () => {
  open('password');
  fill('新密码', 'short');
  expect(text()).toContain('新密码为 8–128 位');
  expect(confirmButton()).toHaveProperty('disabled', true);
  click(/^生\s*成$/);
  const { value: first } = screen.getByLabelText<HTMLInputElement>('新密码');
  click(/^生\s*成$/);
  const { value } = screen.getByLabelText<HTMLInputElement>('新密码');
  expect(value).not.toBe(first);
  confirm();
  await screen.findByText('alice 的新密码');
  expect(screen.getByLabelText('新密码').textContent).toBe(value);
  expect(sent).toEqual([{ id: 7, password: value }]);
  click('已保存，关闭');
  expect(onClose).toHaveBeenCalled();
});

test('a payout tier is explained, and only another one from 1 to 100 is accepted', async () => {
  open('tier');
  expect(text()).toContain('从不决定盈亏');
  expect(text()).toContain('已是「标准收益率」');
  click('专属收益率');
  fill('收益率', '100.01');
  expect(text()).toContain('收益率为 1–100');
  expect(confirmButton()).toHaveProperty('disabled', true);
  fill('收益率', '85.50');
  expect(text()).toContain('盈利时按本金的 85.5% 赔付');
  confirm();
  await waitFor(() => expect(sent).toEqual([{ id: 7, winType: 1, winRate: '85.5' }]));
});

test('a support link needs a reason, counts down, and disappears when it expires', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const data = { url: 'https://exchange.example/?token=t', expire: Date.now() + 300_000 };
  answers = { [user.token.path]: { code: 200, msg: '成功', data } };
  open('link');
  expect(confirmButton()).toHaveProperty('disabled', true);
  click('协助用户操作');
  confirm();
  expect((await screen.findByLabelText('链接')).textContent).toBe(data.url);
  expect(screen.getByRole('timer').textContent).toBe('5:00 后失效');
  act(() => void vi.advanceTimersByTime(301_000));
  expect(text()).toContain('链接已失效');
  expect(screen.queryByLabelText('链接')).toBeNull();
});

test('a changed remark is kept by Escape and saved', async () => {
  open('remark');
  const save = () => screen.getByText(/保\s*存/).closest('button');
  expect(save()).toHaveProperty('disabled', true);
  fill('备注', 'VIP 客户');
  fireEvent.keyDown(screen.getByLabelText('备注'), { key: 'Escape' });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(save() ?? document.body);
  await waitFor(() => expect(sent).toEqual([{ id: 7, remark: 'VIP 客户' }]));
});

const OPEN = [{ what: 'withdraw', text: '1 笔待审核' }];

test('what blocks a deletion is listed with its page before anything is sent', async () => {
  answers = { [user.detail.path]: { code: 200, msg: '', data: { open: OPEN } } };
  open('remove');
  const reasons = await screen.findByRole('region', { name: '不能删除的原因' });
  expect(reasons.textContent).toContain('1 笔待审核通过或驳回');
  expect(reasons.querySelector('a')?.getAttribute('href')).toBe('/withdraw?userId=7');
  click('测试账号');
  fill(/请输入账号以确认/, 'alice');
  expect(confirmButton()).toHaveProperty('disabled', true);
});

test('a refused deletion lists the reasons of the server and can be retried', async () => {
  answers = { [user.del.path]: { code: 409, msg: '用户仍有未了结的事项：1 笔待审核', data: OPEN } };
  open('remove');
  click('测试账号');
  fill(/请输入账号以确认/, 'alic');
  expect(confirmButton()).toHaveProperty('disabled', true);
  fill(/请输入账号以确认/, 'alice');
  await waitFor(() => expect(confirmButton()).toHaveProperty('disabled', false));
  confirm();
  expect((await screen.findByRole('region', { name: '不能删除的原因' })).textContent).toContain('1 笔待审核');
  expect(confirmButton()).toHaveProperty('disabled', false);
  // The reasons appear before the call has ended.
  await waitFor(() => expect(confirmButton()?.className).not.toContain('ant-btn-loading'));
  answers = {};
  confirm();
  await waitFor(() => expect(onRemoved).toHaveBeenCalledWith(7));
  expect(sent.at(-1)).toEqual({ id: 7, reason: '测试账号' });
});
