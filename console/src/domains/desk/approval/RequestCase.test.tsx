// @vitest-environment happy-dom
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OpenRequest } from '../../../actions/OpenRequest.tsx';
import { MeContext } from '../../../api/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { submittedText } from '../../../api/submitted.ts';
import { TabContext } from '../../../navigation/page-route.ts';
import type { Tab } from '../../../navigation/tabs.ts';
import { RecordPlaceContext } from '../../../ui/dialog/record-place.ts';
import { type Question, setAsker } from '../../../ui/dialog/question.ts';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { RequestCase } from './RequestCase.tsx';

// Scripts and dialogs take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const AT = 1_800_000_000_000;
const ADDRESS = 'TRw5oUtLhqg7kPPn7CVTR1dqovtjLBmBX7';
const me = { id: 1, admin: 'checker', top: true, abilities: [] } as unknown as Me;

const row = {
  id: 12,
  type: 'withdraw.pass',
  title: '通过提现',
  targetType: 'withdraw',
  targetId: 1630,
  userId: 7,
  account: 'lao.bo',
  input: {},
  hash: 'f'.repeat(64),
  amount: '19250.00',
  maker: 'shenhe',
  checker: null,
  state: APPROVAL.open,
  reason: '已电话核实',
  answer: '',
  createdAt: AT,
  expiresAt: AT + 3_600_000,
  required: 1,
  given: 0,
  permitUntil: null,
} as unknown as ApprovalRow;

const user = { id: 7, account: 'lao.bo', state: 1, auth: 2, agent: 'a', agentRoot: 'a', createdAt: AT, remark: '' };
const timeline = { recharges: [], withdraws: [], credentials: [], logins: [], notes: [] };

const detail = {
  row,
  user,
  timeline,
  votes: [],
  result: null,
  intact: true,
  asked: [{ label: '将执行', text: '打款一次', kind: 'text' }],
  now: [],
  lines: [],
  problem: null,
  checkers: { count: 2, names: ['checker'] },
} as unknown as ApprovalDetail;

const record = {
  row: {
    id: 1630,
    state: 1,
    userId: 7,
    account: 'lao.bo',
    marketName: 'USDT',
    amount: '19250',
    fee: '1',
    received: '19249',
    address: ADDRESS,
    network: 'TRC20',
    memo: '77081',
    risk: ['first_address'],
    createdAt: AT,
  },
  user,
  risk: ['first_address', 'shared_address'],
  deposits: [{ marketId: 1, marketName: 'USDT', recharge: '30000', withdraw: '500', net: '29500' }],
  addresses: [
    {
      address: ADDRESS,
      memo: '77081',
      network: 'TRC20',
      marketName: 'USDT',
      times: 1,
      lastAt: AT,
      users: 3,
      current: true,
    },
  ],
  ...timeline,
  limit: { used: '19250', limit: '50000', withdrawMin: '1', withdrawMax: '0' },
  statements: [],
  rules: null,
  auto: null,
  related: [],
  screening: { listed: [], requests: [], bypass: null, obstacle: null },
  value: { now: '19250', pricedAt: null, priceOld: false },
  preview: { pass: [], reject: [] },
  approval: { openId: 12, maker: 'shenhe', checker: null, submittedAt: AT, seconds: ['pass'] },
} as unknown as WithdrawDetail;

let answers: Record<string, unknown>;
let sent: { path: string; body: unknown }[];
let question: Question | undefined;

beforeEach(() => {
  answers = { 'approval/detail': detail, 'withdraw/detail': record, 'approval/cancel': row };
  sent = [];
  question = undefined;
  setAsker((asked) => {
    question = asked;
  });
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    const path = new URL(url, 'http://localhost').pathname.replace(/^.*\/admin\//, '');
    sent.push({ path, body: body && JSON.parse(body) });
    const data = answers[path];
    return new Response(JSON.stringify({ code: data === undefined ? 404 : 200, msg: '操作成功', data: data ?? null }));
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const show = (content: ReactNode, viewer: Me = me) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={viewer}>
        <TabContext value={{ key: '/approval', search: '', params: {} } as unknown as Tab}>{content}</TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
const text = () => document.body.textContent ?? '';
const paths = () => sent.map(({ path }) => path);

test('a request shows the case of its record: what the reviewer saw, below who asks for what', async () => {
  show(<RequestCase detail={detail} isMaker={false} hasAudit={false} />);
  await screen.findByText('24 小时限额');
  expect(paths()).toContain('withdraw/detail');
  const strip = document.querySelector('.ht-approval-strip')?.textContent;
  for (const part of ['通过提现', '提现 #1630', 'shenhe', '已电话核实', '剩余']) expect(strip).toContain(part);
  for (const part of ['19,250', ADDRESS, 'TRC20', '77081', '29,500', '3 人使用', '打款一次'])
    expect(text()).toContain(part);
  expect(screen.getByTitle('f'.repeat(64))).toBeTruthy();
  expect(await screen.findByText('本次申请')).toBeTruthy();
  // What would be executed stands where the reviewer compared both decisions; the request does not refer to itself.
  expect(text()).not.toContain('决定之后');
  expect(screen.queryByRole('link', { name: '#12' })).toBeNull();
});

test('a request about a user outside the scope shows what it knows itself, and asks for no record', async () => {
  show(<RequestCase detail={{ ...detail, user: null, timeline: null }} isMaker={false} hasAudit={false} />);
  for (const part of ['19,250', 'shenhe', '打款一次']) expect(text()).toContain(part);
  await Promise.resolve();
  expect(paths()).not.toContain('withdraw/detail');
  expect(text()).not.toContain(ADDRESS);
});

test.each([
  ['pass', '通过复核 #12'],
  ['reject', '驳回复核 #12'],
] as const)('inside the case, the confirmation of %s repeats what is decided', async (decision, title) => {
  const place = document.body.appendChild(document.createElement('div'));
  show(
    <RecordPlaceContext value={{ element: place, report: () => undefined }}>
      <ApprovalDialog decision={decision} row={row} onClose={() => undefined} onDone={() => undefined} />
    </RecordPlaceContext>,
  );
  await waitFor(() => expect(place.textContent).toContain(ADDRESS));
  expect(screen.getByRole('dialog', { name: title })).toBeTruthy();
  for (const part of ['通过提现', 'lao.bo', '19,250', 'TRC20', '77081', '首次使用的地址', '多个用户使用同一地址'])
    expect(place.textContent).toContain(part);
  place.remove();
});

test('a confirmation that cannot show the record does not pass it', async () => {
  answers['withdraw/detail'] = undefined;
  show(<ApprovalDialog decision="pass" row={row} onClose={() => undefined} onDone={() => undefined} />);
  await screen.findByText('对象的详情没有加载');
  expect(document.querySelector('[data-verb]')).toHaveProperty('disabled', true);
});

test('the maker takes a request back in the case of the record, and nobody else', async () => {
  const approval = { openId: 12, maker: 'shenhe', checker: null, submittedAt: AT };
  const { unmount } = show(<OpenRequest approval={approval} />);
  expect(screen.getByRole('link', { name: '#12' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: '撤回申请' })).toBeNull();
  unmount();
  show(<OpenRequest approval={approval} />, { ...me, admin: 'shenhe' });
  fireEvent.click(screen.getByRole('button', { name: '撤回申请' }));
  expect(question?.title).toBe('撤回申请 #12？');
  expect(paths()).not.toContain('approval/cancel');
  question?.onConfirm();
  await waitFor(() => expect(sent).toContainEqual({ path: 'approval/cancel', body: { id: 12 } }));
});

test('what was submitted is named with its amount and the number of the request', () => {
  expect(submittedText(row)).toBe('已提交复核：通过提现 · lao.bo · 19,250 USDT · 复核 #12');
  expect(submittedText({ ...row, account: null, amount: null })).toBe('已提交复核：通过提现 · 提现 #1630 · 复核 #12');
});
