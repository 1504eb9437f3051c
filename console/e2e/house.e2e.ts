import { randomUUID } from 'node:crypto';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { callAs, dialog } from './desk-list.ts';

const PAST = 1_600_000_000_000;

test('an operator reads the accounts of the house and submits a transfer', async ({ page }) => {
  await logIn(page, admin, '/house');
  const table = activePage(page).getByRole('table', { name: '平台账户' });
  await expect(table.getByRole('rowheader', { name: /^手续费收入/ })).toBeVisible();
  await expect(table.getByRole('link', { name: '托管 USDT 明细' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: '划转' }).click();
  const form = dialog(page, '平台账户划转');
  await form.getByLabel('数量').fill('12.5');
  await expect(form).toContainText('请输入交易哈希');
  const hash = `0x${randomUUID()}`;
  await form.getByLabel('交易哈希').fill(hash);
  await form.getByRole('button', { name: /注入自有资金/ }).click();
  await expect(form).toContainText('自有资金增加 12.5 USDT');
  await expectAccessible(page, '.ant-modal-container');
  await form.getByRole('button', { name: '提交复核' }).click();
  await expect(form).toBeHidden();
  const mark = activePage(page).getByRole('link', { name: '待复核：平台账户划转' });
  await expect(mark).toBeVisible();
  const { data } = await callAs(page, admin, 'GET', 'approval/list', { state: 0, type: 'house.transfer' });
  const { list } = data as { list: { id: number; input: { txHash?: string } }[] };
  const asked = list.find(({ input }) => input.txHash === hash);
  const cancelled = await callAs(page, admin, 'POST', 'approval/cancel', { id: asked?.id });
  expect(cancelled.code).toBe(200);

  await table.getByRole('link', { name: '托管 USDT 明细' }).click();
  await expect(page).toHaveURL(/\/house\/entry\?.*house=custody/);
  await expect(activePage(page).getByRole('heading', { level: 1, name: '平台账户明细' })).toBeVisible();
  await expectAccessible(page);
});

test('the balances of a past moment are marked as such', async ({ page }) => {
  await logIn(page, admin, `/house?at=${PAST}`);
  const home = activePage(page);
  await expect(home.getByRole('status').filter({ hasText: '历史余额' })).toContainText('2020-09-13');
  await expect(home.getByText('当时没有记账').first()).toBeVisible();
  await expectAccessible(page);
  await home.getByRole('button', { name: '回到现在' }).click();
  await expect(home.getByText('当时没有记账')).toBeHidden();
});
