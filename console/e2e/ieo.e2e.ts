import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, searchParamsOf, row, rows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

const REVIEWER_ABILITIES = [5, 10];

interface ReviewSetup {
  operator: { id: number; account: string; password: string };
  /** Ids of the pending subscriptions, oldest first. */
  ids: number[];
  users: string[];
}

/** An operator with new users, each with 1,000 USDT and a pending subscription. */
async function setUpReview(
  page: Page,
  count: number,
  abilities: readonly number[] = REVIEWER_ABILITIES,
): Promise<ReviewSetup> {
  const operator = await newOperator(page, abilities);
  const users = Array.from({ length: count }, () => `ieo.${randomUUID().slice(0, 13)}`);
  for (const account of users) {
    const deposit = { network: 'TRC20', address: 'T-in', amount: '1000', confirmations: 20, source: 1, txHash: 'h' };
    await sendEvents(
      { type: 'user.registered', data: { account, agent: operator.account } },
      { type: 'recharge.credited', data: { no: randomUUID(), account, market: 'USDT', ...deposit } },
      { type: 'ieo.ordered', data: { no: randomUUID(), account, market: 'HTT', price: '0.5', amount: '250.5' } },
    );
  }
  const params = { agent: operator.account, type: 'review', sort: 'id', size: 200 };
  const { list } = await fetchList(page, 'ieo/order/list', params);
  return { operator, users, ids: list.map(({ id }) => id) };
}

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const fetchSubscription = async (page: Page, id: number) => (await fetchList(page, 'ieo/order/list', { id })).list[0];

async function expectDrawerOpen(page: Page, id: number) {
  await expect(drawer(page).getByText(`认购 #${id}`)).toBeVisible();
  await expect(drawer(page).getByText('决定之后')).toBeVisible();
}

test('the review queue is worked through by keyboard alone', { tag: '@short' }, async ({ page }) => {
  const { operator, ids } = await setUpReview(page, 3);
  const [first = 0, next = 0, last = 0] = ids;
  await logIn(page, operator, '/ieo/review');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '审核队列' }).click();
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(first));
  await expectDrawerOpen(page, first);
  await expect(drawer(page).getByText('审核队列 · 剩余 3 条')).toBeVisible();

  await page.keyboard.press('a');
  await expect(dialog(page, `通过认购 #${first}`)).toContainText('125.25 USDT');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(next));
  expect(await fetchSubscription(page, first)).toMatchObject({ state: 1 });

  await expectDrawerOpen(page, next);
  await page.keyboard.press('r');
  const modal = dialog(page, `驳回认购 #${next}`);
  await expect(modal.getByRole('button', { name: '驳回认购' })).toBeDisabled();
  await page.keyboard.press('1');
  await expect(modal.locator('textarea')).toHaveValue('认购额度已满');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(last));
  const { data } = await callAs(page, admin, 'GET', 'ieo/order/list', { id: next });
  expect(data).toMatchObject({ list: [{ state: 2, reason: '认购额度已满', by: operator.account }] });

  await expectDrawerOpen(page, last);
  await page.keyboard.press('a');
  await expect(dialog(page, `通过认购 #${last}`)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(activePage(page).getByText('审核队列已清空')).toBeVisible();
});

test('the drawer previews both decisions, and a late decision names who decided first', async ({ page }) => {
  const { operator, ids, users } = await setUpReview(page, 1);
  const [id = 0] = ids;
  await logIn(page, operator, `/ieo/review?open=${id}`);
  await expectDrawerOpen(page, id);
  // Frozen USDT ends at the same balance either way, so only the four other accounts are compared.
  const preview = drawer(page).getByRole('table', { name: '决定之后' }).locator('tbody tr');
  await expect(preview).toHaveCount(4);
  const tokens = preview.filter({ hasText: users[0] ?? '' }).filter({ hasText: '250.5' });
  await expect(tokens.locator('[data-decision=pass]')).toContainText('+250.5 HTT');
  await expect(tokens.locator('[data-decision=reject]')).toContainText('不变');
  const refund = preview.filter({ hasText: '+125.25' }).filter({ hasText: users[0] ?? '' });
  await expect(refund.locator('[data-decision=reject]')).toContainText('变动后 1,000');
  await expect(drawer(page).getByText(/两种决定都使 .* 余额变为 0 USDT/)).toBeVisible();
  await expect(drawer(page).getByRole('region', { name: '资金账户' })).toContainText('874.75');
  await expectAccessible(page);

  await page.keyboard.press('a');
  const modal = dialog(page, `通过认购 #${id}`);
  await expect(modal).toContainText(users[0] ?? '');
  await expectAccessible(page);
  await callAs(page, admin, 'POST', 'ieo/order/reject', { id, reason: '用户要求取消' });
  await page.keyboard.press('Control+Enter');
  await expect(modal.getByRole('alert')).toContainText('已驳回');
  await expect(modal.getByRole('alert')).toContainText('admin');
  await modal.getByRole('button', { name: '关闭' }).last().click();
  await expect(drawer(page).getByText('当前状态不会再记账')).toBeVisible();
});

test('a bulk decision moves subscriptions from the review list to the history', async ({ page }) => {
  const { operator, ids } = await setUpReview(page, 3);
  await logIn(page, operator, '/ieo/review');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(3);
  for (const id of ids.slice(0, 2))
    await activePage(page)
      .getByRole('checkbox', { name: `选择 ${id}` })
      .check();
  await activePage(page).getByRole('button', { name: '批量通过' }).click();
  const modal = dialog(page, '批量通过认购');
  await expect(modal).toContainText('501 HTT');
  await page.keyboard.press('1');
  await modal.getByLabel('请输入条数以确认').fill('2');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('成功 2 条').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
  await expect(rows(page)).toHaveCount(1);

  await page.goto('/ieo/history');
  await waitForRows(page);
  await expect(rows(page)).toHaveCount(2);
  await expect(activePage(page).getByRole('region', { name: '合计' }).locator('[data-sum=pay]')).toContainText('250.5');
  await row(page, ids[1] ?? 0)
    .getByRole('button', { name: '详情' })
    .click();
  await expectDrawerOpen(page, ids[1] ?? 0);
  await expect(drawer(page).getByText('已逐条核对')).toBeVisible();
  await expect(drawer(page).getByRole('button', { name: '通过认购' })).toHaveCount(0);
});
