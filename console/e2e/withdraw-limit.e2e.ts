import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { dialog, fetchList, rows, waitForRows } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

/** A group of its own, so that the limits affect no other test. */
const group = `组 ${randomUUID().slice(0, 8)}`;
const table = (page: Page, name: string) => activePage(page).getByRole('table', { name, exact: true });
const line = (page: Page, name = '提现限额与手续费'): Locator =>
  table(page, name).getByRole('row', { name: new RegExp(group) });
const drawer = (page: Page) => page.locator('.ht-dialog-drawer');

async function makeUser() {
  const account = `limit.${randomUUID().slice(0, 13)}`;
  const wallet = { account, market: 'USDT', network: 'TRC20', address: 'T' };
  await sendEvents(
    { type: 'user.registered', data: { account, agent: admin.account } },
    {
      type: 'recharge.credited',
      data: { ...wallet, no: randomUUID(), amount: '9000', confirmations: 20, source: 1 },
    },
  );
  return { account, wallet };
}

async function setTerms(page: Page, terms: Record<string, string>) {
  await line(page).getByRole('button', { name: '修改' }).click();
  const editor = dialog(page, `提现限额与手续费：${group} · USDT`);
  for (const [label, value] of Object.entries(terms)) await editor.getByLabel(label).fill(value);
  await editor.getByRole('button', { name: '保存限额' }).click();
  await expect(editor).toBeHidden();
}

test('a group gets limits, and a withdrawal shows those it was judged by', async ({ page }) => {
  await logIn(page, admin, '/withdraw-limit');
  await expect(table(page, '提现限额与手续费').getByRole('row', { name: /未认证/ })).toContainText('由平台决定');
  await expectAccessible(page);

  await page.getByRole('button', { name: '新增用户组' }).click();
  const added = dialog(page, '新增用户组');
  await added.getByLabel('名称').fill(group);
  await added.getByRole('button', { name: '保存用户组' }).click();
  await expect(added).toBeHidden();
  await expect(line(page, '用户组')).toContainText('仅总部');

  await line(page).getByRole('button', { name: '修改' }).click();
  const editor = dialog(page, `提现限额与手续费：${group} · USDT`);
  await editor.getByLabel('单笔最小').fill('2');
  await editor.getByLabel('单笔最大').fill('1');
  await editor.getByRole('button', { name: '保存限额' }).click();
  await expect(editor.getByRole('alert')).toHaveText('单笔最大不能小于单笔最小');
  await expect(editor.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await editor.getByLabel('单笔最大').fill('700');
  await editor.getByLabel('手续费率').fill('0.25');
  await expect(editor.getByRole('region', { name: '限额的变化' })).toContainText('继承700 USDT');
  await expect(editor.getByRole('region', { name: '限额的变化' })).toContainText('继承0.25%');
  await expectAccessible(page);
  await editor.getByRole('button', { name: '保存限额' }).click();
  await expect(line(page)).toContainText('第 1 版');
  await expect(line(page)).toContainText('数量 × 0.25%');
  await setTerms(page, { 单笔最大: '500', 手续费率: '' });
  await line(page).getByRole('button', { name: '第 2 版' }).click();
  await expect(drawer(page).getByRole('list', { name: '历次版本' })).toContainText('单笔最大：700 USDT → 500 USDT');
  await expectAccessible(page);

  const { account, wallet } = await makeUser();
  await page.goto(`/user?account=${account}`);
  await waitForRows(page);
  await rows(page)
    .first()
    .getByRole('button', { name: /更多操作/ })
    .click();
  await page.getByRole('menuitem', { name: '用户组' }).click();
  const question = dialog(page, '调整用户组');
  await question.getByRole('combobox', { name: '用户组' }).click();
  await page.locator('.ant-select-dropdown:visible').getByTitle(group, { exact: true }).click();
  await question.getByRole('button', { name: '调整用户组' }).click();
  await expect(question).toBeHidden();
  await rows(page).first().getByRole('button', { name: '详情' }).click();
  await expect(drawer(page).getByRole('region', { name: '提现限额' })).toContainText('2 至 500 USDT');

  const requested = (amount: string) => ({
    type: 'withdraw.requested',
    data: { ...wallet, no: randomUUID(), amount, fee: '1' },
  });
  await sendEvents(requested('500'));
  const { list } = await fetchList(page, 'withdraw/list', { account });
  await page.goto(`/withdraw?open=${list[0]?.id ?? 0}`);
  const applied = drawer(page).locator('section').filter({ hasText: '申请时适用' });
  await expect(applied).toContainText(group);
  await expect(applied).toContainText('第 2 版');
  await expect(applied).toContainText('2 USDT 至 500 USDT');
});
