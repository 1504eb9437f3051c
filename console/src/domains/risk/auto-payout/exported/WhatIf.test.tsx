// @vitest-environment happy-dom
import type { AutoWhatIf, AutoWhatIfRow } from '@hengtai/contract/risk/auto-payout/schema';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TabContext } from '../../../../navigation/page-route.ts';
import type { Tab } from '../../../../navigation/tabs.ts';
import { WhatIf } from './WhatIf.tsx';

afterEach(cleanup);

const AT = 1_800_000_000_000;
const nobody = { count: 0, amount: '0', newest: [] };
const withdraw = (id: number, more: Partial<AutoWhatIfRow> = {}): AutoWhatIfRow => ({
  id,
  userId: 7,
  account: 'lao.bo',
  amount: '120.5',
  risk: ['first_address', 'unheard_of'],
  why: 'level',
  createdAt: AT,
  ...more,
});
const result = (more: Partial<AutoWhatIf> = {}): AutoWhatIf => ({
  question: 'budget',
  marketName: 'USDT',
  from: AT,
  complete: true,
  total: 1200,
  present: { count: 20, amount: '400' },
  proposed: { count: 1031, amount: '2400.5' },
  opened: { count: 1012, amount: '2410', newest: [withdraw(31), withdraw(30, { risk: [] })] },
  closed: { count: 1, amount: '409.5', newest: [withdraw(12, { why: 'userDay' })] },
  ...more,
});

const tab = { key: '/auto-payout', search: '', params: {} } as unknown as Tab;
const page = (shown: AutoWhatIf) => (
  <TabContext value={tab}>
    <WhatIf result={shown} />
  </TabContext>
);

const textOf = (label: string): (string | null)[] =>
  within(screen.getByRole('region', { name: label }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);

test('compares a start with the stops of that time', () => {
  render(page(result({ question: 'start' })));
  expect(textOf('额度推算').slice(1)).toEqual([
    '按当时的暂停20 笔400 USDT1,180 笔',
    '假如没有暂停1,031 笔2,400.5 USDT169 笔',
    '相差+1,011 笔+2,000.5 USDT-1,011 笔',
  ]);
});

test('shows both budgets with their difference', () => {
  render(page(result()));
  expect(textOf('额度推算').slice(1)).toEqual([
    '现在的额度20 笔400 USDT1,180 笔',
    '新的额度1,031 笔2,400.5 USDT169 笔',
    '相差+1,011 笔+2,000.5 USDT-1,011 笔',
  ]);
  expect(screen.queryByRole('status')).toBeNull();
});

test('lists whose outcome changes, with a link, risks as recorded and the reason', () => {
  render(page(result()));
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    '新增自动打款 1,012 笔，共 2,410 USDT，最近 2 笔：',
    '新增转人工 1 笔，共 409.5 USDT',
  ]);
  expect(screen.getByRole('link', { name: '#31' }).getAttribute('href')).toBe('/withdraw?open=31');
  const [, first, second] = textOf('新增自动打款');
  expect(first).toContain('120.5首次使用的地址unheard_of超过该认证等级的单笔额度');
  expect(second).toContain('120.5无超过该认证等级的单笔额度');
  expect(textOf('新增转人工')[1]).toContain('超过单个用户的每日额度');
});

test('says that nothing changes, that only the newest were looked at, or that there is nothing', () => {
  const { rerender } = render(page(result({ opened: nobody, closed: nobody })));
  expect(screen.getByText('没有一笔的结果会不同。')).toBeTruthy();
  expect(screen.queryByRole('heading')).toBeNull();
  rerender(page(result({ complete: false })));
  expect(screen.getByRole('status').textContent).toContain('的 1,200 笔');
  expect(screen.queryByText('没有一笔的结果会不同。')).toBeNull();
  rerender(page(result({ total: 0 })));
  expect(screen.getByText('近 30 天没有 USDT 的提现。')).toBeTruthy();
  expect(screen.queryByRole('region')).toBeNull();
});
