import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import {
  dialog,
  callAs,
  readRowIds,
  fetchList,
  waitForPendingWithdrawals,
  waitForRows,
  searchParamsOf,
  row,
} from './desk-list.ts';
import { newUser, fetchUser } from './desk-user.ts';
import { navigateInApp } from './list-helpers.ts';
import { secondOperator } from './server.ts';

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const drawerTab = (page: Page, name: string) => drawer(page).getByRole('tab', { name });

interface Asset {
  marketName: string;
  platform: number;
  active: string;
  frozen: string;
  total: string;
}

/** The latest user with a balance 1 ms before a withdrawal froze its amount, with that time and balance. */
async function findUserWithHistory(page: Page): Promise<{ id: number; account: string; at: number; before: Asset[] }> {
  // A new installation may not have a withdrawal yet.
  await waitForPendingWithdrawals(page, 1);
  const { list } = await fetchList(page, 'fund/record', { type: 9, platform: 1, bucket: 'active', size: 50 });
  for (const { userId: id, account, createdAt } of list as unknown as {
    userId: number;
    account: string;
    createdAt: number;
  }[]) {
    const at = createdAt - 1;
    // Users of other tests may be credited and request a withdrawal within the same millisecond.
    const { data } = await callAs(page, secondOperator, 'GET', 'user/balance', { id, at });
    const before = data as Asset[];
    if (before.some(({ platform }) => platform === 1)) return { id, account, at, before };
  }
  throw new Error('nothing was frozen yet');
}

/** Expects the drawer to show the balances of the fund account that the server returned. */
async function expectFund(page: Page, assets: readonly Asset[]) {
  const fund = drawer(page).getByRole('region', { name: '资金账户', exact: true });
  const fundAssets = assets.filter(({ platform }) => platform === 1);
  expect(fundAssets.length).toBeGreaterThan(0);
  for (const { marketName, active, frozen, total } of fundAssets) {
    const cells = fund
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: marketName, exact: true }) })
      .getByRole('cell');
    await expect
      .poll(async () => (await cells.allInnerTexts()).slice(1, 4).map((text) => text.replaceAll(',', '')))
      .toEqual([active, frozen, total]);
  }
}

test('the drawer opens, moves, switches tabs and closes by keyboard, and the URL follows', async ({ page }) => {
  // No other test changes the users of this agent.
  const agent = await newOperator(page);
  for (let n = 0; n < 2; n += 1) await newUser(page, agent.account);
  await logIn(page, admin, `/user?agent=${agent.account}`);
  await waitForRows(page);
  const [first, next] = await readRowIds(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(drawer(page).getByText(`#${first}`, { exact: true })).toBeVisible();
  await page.keyboard.press('2');
  await expect(drawerTab(page, '资产')).toHaveAttribute('aria-selected', 'true');
  expect(searchParamsOf(page).get('tab')).toBe('assets');
  await page.keyboard.press('j');
  await expect(drawer(page).getByText(`#${next}`, { exact: true })).toBeVisible();
  await expect(drawerTab(page, '资产')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('k');
  await expect(drawer(page).getByText(`#${first}`, { exact: true })).toBeVisible();
  await drawerTab(page, '资产').focus();
  await page.keyboard.press('ArrowRight');
  await expect(drawerTab(page, '资金往来')).toBeFocused();
  await expect(drawerTab(page, '资金往来')).toHaveAttribute('aria-selected', 'true');
  const address = page.url();
  await page.keyboard.press('Escape');
  await expect(drawer(page)).toHaveCount(0);
  expect([searchParamsOf(page).get('open'), searchParamsOf(page).get('tab')]).toEqual([null, null]);
  await page.goto(address);
  await expect(drawerTab(page, '资金往来')).toHaveAttribute('aria-selected', 'true');
  await expect(drawer(page).getByText(`#${first}`, { exact: true })).toBeVisible();
});

test('the profile matches the server, loads with one call, and its switches work', async ({ page }) => {
  const user = await newUser(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    const path = /\/admin\/(user\/\w+)\?/.exec(request.url())?.[1];
    if (path && path !== 'user/list') calls.push(path);
  });
  await logIn(page, admin, `/user?id=${user.id}&open=${user.id}`);
  await expect(drawer(page).getByText('标准收益率')).toBeVisible();
  await expect(drawer(page)).toContainText(user.account);
  expect(calls).toEqual(['user/detail']);
  const trade = drawer(page).getByRole('switch', { name: `交易 ${user.account}` });
  await trade.click();
  await page.locator('.ant-popover:visible').getByRole('button', { name: '关闭' }).click();
  await expect(trade).toHaveAttribute('aria-checked', 'false');
  expect((await fetchUser(page, user.id))['trade']).toBe(0);
  await expect(row(page, user.id).getByRole('switch', { name: /^交易/ })).toHaveAttribute('aria-checked', 'false');
  await drawerTab(page, '审计').click();
  await expect(drawer(page).getByRole('region', { name: '审计' }).getByRole('row').nth(1)).toContainText('admin');
});

test('current and past assets match the server, and past ones are labelled', async ({ page }) => {
  const { id, at, before } = await findUserWithHistory(page);
  await logIn(page, admin, `/user?open=${id}&tab=assets`);
  // Another test may decide a withdrawal of this user in between.
  await expect(async () => {
    const { data } = await callAs(page, secondOperator, 'GET', 'user/asset', { id });
    await page.reload();
    await expectFund(page, data as Asset[]);
  }).toPass();
  await expect(drawer(page).getByText('历史余额')).toHaveCount(0);
  const fund = drawer(page).getByRole('region', { name: '资金账户', exact: true });
  await drawer(page).getByText('合约账户', { exact: true }).first().click();
  await expect(fund).toBeHidden();

  await page.goto(`/user?open=${id}&tab=assets&at=${at}`);
  await expect(drawer(page).getByText('不是当前余额')).toBeVisible();
  await expectFund(page, before);

  await drawer(page).getByRole('button', { name: '回到现在' }).click();
  await expect(drawer(page).getByText('不是当前余额')).toHaveCount(0);
  expect(searchParamsOf(page).get('at')).toBeNull();

  await drawer(page).getByLabel('截至时间').click();
  await page.locator('.ant-picker-dropdown:visible').getByText('30天前').click();
  await expect(drawer(page).getByText('不是当前余额')).toBeVisible();
  const pickedTime = Number(searchParamsOf(page).get('at'));
  expect(Math.abs(pickedTime - (Date.now() - 30 * 86_400_000))).toBeLessThan(60_000);
  const response = await callAs(page, secondOperator, 'GET', 'user/balance', { id, at: pickedTime });
  const assets = (response.data as Asset[]).filter(({ platform }) => platform === 1);
  if (assets.length > 0) await expectFund(page, assets);
  else await expect(drawer(page).getByText('没有资产').first()).toBeVisible();

  await drawer(page).getByLabel('截至时间').click();
  await page.locator('.ant-picker-dropdown:visible').getByText('昨日日终').click();
  await expect(drawer(page).locator('time', { hasText: '23:59:59' }).first()).toBeVisible();
  expect(Number(searchParamsOf(page).get('at')) % 1000).toBe(999);
});

test('notes are added and persist, and the actions of the drawer apply to the open user', async ({ page }) => {
  const user = await newUser(page);
  await logIn(page, admin, `/user?open=${user.id}&tab=notes`);
  await expect(drawer(page).getByText('还没有记录')).toBeVisible();
  const add = drawer(page).getByRole('button', { name: '添加' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  const field = drawer(page).getByLabel('添加记录');
  await field.fill('第一条\n两行');
  await add.click();
  await expect(drawer(page).getByRole('listitem').first()).toContainText('第一条');
  await expect(field).toHaveValue('');
  await field.fill('第二条');
  await drawerTab(page, '概况').click();
  await drawerTab(page, '备注记录').click();
  await expect(field).toHaveValue('第二条');
  await field.press('Control+Enter');
  await expect(drawer(page).getByRole('listitem').first()).toContainText('第二条');
  await expect(drawer(page).getByRole('listitem').first()).toContainText('admin');
  const { data } = await callAs(page, secondOperator, 'GET', 'user/note/list', { id: user.id });
  expect((data as { list: { text: string }[] }).list.map(({ text }) => text)).toEqual(['第二条', '第一条\n两行']);
  await drawerTab(page, '概况').click();
  await drawer(page).getByRole('button', { name: '修改备注' }).click();
  const form = dialog(page, `修改备注 · ${user.account}`);
  await form.getByLabel('备注').fill('抽屉里改的');
  await page.keyboard.press('Control+Enter');
  await expect(form).toBeHidden();
  await expect(drawer(page)).toContainText('抽屉里改的');
  await drawer(page).getByRole('button', { name: '删除' }).click();
  const modal = dialog(page, '删除用户');
  await modal.getByRole('button', { name: '测试账号' }).click();
  await modal.getByLabel('请输入账号以确认').fill(user.account);
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  await expect(drawer(page)).toHaveCount(0);
});

test('every tab of the drawer is accessible, and the latest records link to the full list', async ({ page }) => {
  const { id, account, at } = await findUserWithHistory(page);
  await logIn(page, admin, `/user?id=${id}&open=${id}`);
  for (const [tab, expectedText, isPast] of [
    ['profile', '各币种净入金'],
    ['assets', '总估值'],
    ['assets', '不是当前余额', true],
    ['records', '内部转账'],
    ['logins', '登录凭证变更'],
    ['notes', '添加记录'],
    ['audit', '审计'],
  ] as const) {
    await navigateInApp(page, '/user', { id: String(id), open: String(id), tab, ...(isPast && { at: String(at) }) });
    await expect(drawer(page).getByText(expectedText).first()).toBeVisible();
    await waitForRows(page);
    await expectAccessible(page);
  }
  await navigateInApp(page, '/user', { open: String(id), tab: 'records' });
  await expect(drawer(page).getByRole('region', { name: '资金记录' })).toBeVisible();
  // The row may be in any coin.
  const withdrawals = drawer(page).getByRole('region', { name: '提现', exact: true });
  await expect(withdrawals.getByRole('row').nth(1)).toContainText(/\d/);
  await drawer(page).getByRole('link', { name: '查看全部', exact: true }).nth(2).click();
  await page.waitForURL(/\/fund\/record\?/);
  expect(searchParamsOf(page).get('userId')).toBe(String(id));
  await waitForRows(page);
  await expect(activePage(page).getByText(account).first()).toBeVisible();
});
