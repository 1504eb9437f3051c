import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  type Operator,
  expect,
  expectAccessible,
  logIn,
  newOperator,
  setAbility,
  activePage,
  tab,
  test,
} from './desk.ts';
import { sendEvents } from './desk-platform.ts';

const wallet = { market: 'USDT', network: 'TRC20', address: 'T-notify' };
const userRegistered = (account: string, agent: string) => ({ type: 'user.registered', data: { account, agent } });
const rechargeCredited = (account: string) => ({
  type: 'recharge.credited',
  data: { ...wallet, no: randomUUID(), account, amount: '5000', confirmations: 20, source: 1 },
});
const withdrawRequested = (account: string) => ({
  type: 'withdraw.requested',
  data: { ...wallet, no: randomUUID(), account, amount: '100', fee: '1' },
});

/** An operator who reviews withdrawals, and a new user below with money. */
async function setUpReviewer(page: Page): Promise<{ operator: Operator; user: string }> {
  const operator = await newOperator(page, [3, 11]);
  const user = `push.${randomUUID().slice(0, 13)}`;
  await sendEvents(userRegistered(user, operator.account), rechargeCredited(user));
  return { operator, user };
}

const menuEntry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '主菜单' }).getByText(name).first();
const badge = (page: Page) =>
  menuEntry(page, '提现记录')
    .locator('..')
    .getByLabel(/项待办/);

test('a withdrawal updates badge, title and bell at once, stays hidden from other subtrees, and is marked as read', async ({
  page,
  browser,
}) => {
  const { operator, user } = await setUpReviewer(page);
  const otherReviewer = await setUpReviewer(page);
  await logIn(page, operator, '/withdraw');
  await expect(page).toHaveTitle('提现记录 · 衡台');
  const otherPage = await (await browser.newContext()).newPage();
  await logIn(otherPage, otherReviewer.operator, '/withdraw');

  await sendEvents(withdrawRequested(user));
  await expect(badge(page)).toHaveText('1');
  await expect(page).toHaveTitle('(1) 提现记录 · 衡台');
  const bell = page.getByRole('button', { name: '通知，1 条未读' });
  await expect(bell).toBeVisible();
  await bell.click();
  const panel = page.getByRole('region', { name: '通知' });
  await expect(panel.getByRole('button', { name: /待审核提现 1/ })).toBeVisible();
  await expect(panel.getByText(`${user} · 100 USDT`)).toBeVisible();
  await expectAccessible(page);

  // The stranger receives their own event, and did not receive the earlier one.
  await sendEvents(withdrawRequested(otherReviewer.user));
  await expect(otherPage).toHaveTitle('(1) 提现记录 · 衡台');
  await otherPage.getByRole('button', { name: '通知，1 条未读' }).click();
  await expect(otherPage.getByText(user)).toHaveCount(0);
  await otherPage.context().close();

  // Opening a notification opens its record and marks it as read.
  await panel.getByRole('button', { name: /新提现申请/ }).click();
  await expect(page).toHaveURL(/\/withdraw\?.*open=\d+/);
  // The bell shows the same number as title and menu.
  const readBell = page.getByRole('button', { name: '通知，1 项待办', exact: true });
  await expect(readBell.locator('.ht-notification-count')).toHaveText('1');

  await page.goto('/home');
  await sendEvents(withdrawRequested(user));
  await page.getByRole('button', { name: '通知，1 条未读' }).click();
  await panel.getByRole('button', { name: '全部已读' }).click();
  await expect(panel.getByLabel('未读')).toHaveCount(0);
  await panel.getByRole('button', { name: '声音提醒' }).click();
  await expect(panel.getByRole('switch', { name: '播放提示音' })).not.toBeChecked();
  await panel.getByRole('switch', { name: '播放提示音' }).click();
  await panel.getByRole('switch', { name: '免打扰时段' }).click();
  await panel.getByRole('button', { name: '试听' }).click();
  await page.reload();
  await page.getByRole('button', { name: '通知，2 项待办', exact: true }).click();
  await panel.getByRole('button', { name: '声音提醒' }).click();
  await expect(panel.getByRole('switch', { name: '免打扰时段' })).toBeChecked();
});

test('an open list announces new rows without inserting them', { tag: '@short' }, async ({ page }) => {
  const { operator, user } = await setUpReviewer(page);
  await sendEvents(withdrawRequested(user));
  await logIn(page, operator, '/withdraw');
  await expect(activePage(page).getByText('共 1 条')).toBeVisible();
  await sendEvents(withdrawRequested(user));
  await expect(activePage(page).getByText('有 1 条新记录')).toBeVisible();
});

test('two windows share one stream, which closes when the session ends', async ({ page, context }) => {
  const { operator, user } = await setUpReviewer(page);
  await logIn(page, operator);
  const secondPage = await context.newPage();
  await secondPage.goto('/withdraw');
  await expect(tab(secondPage, '提现记录')).toBeVisible();
  await sendEvents(withdrawRequested(user));
  for (const window of [page, secondPage]) await expect(window).toHaveTitle(/^\(1\) /);
  // The windows send no requests, so the stream itself reports the end of the session.
  await setAbility(page, operator, 0, 0);
  for (const window of [page, secondPage]) await expect(window).toHaveURL(/\/login/);
});
