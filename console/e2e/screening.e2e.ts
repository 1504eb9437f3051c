import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { dialog } from './desk-list.ts';
import { requestWithdrawals } from './desk-withdraw.ts';

const drawer = (page: Page) => page.locator('.ht-dialog-drawer');
const entries = (page: Page) => activePage(page).getByRole('table', { name: '名单中的地址' });

test('a withdrawal to a blocked address passes only after a bypass with a reason', async ({ page }) => {
  const address = `TBlocked${randomUUID().slice(0, 8)}`;
  await logIn(page, admin, '/address-list');
  await activePage(page).getByRole('button', { name: '加入名单' }).click();
  const form = dialog(page, '加入名单');
  await expect(form.getByRole('button', { name: '加入', exact: true })).toBeDisabled();
  await form.getByLabel('地址').fill(address);
  await form.getByLabel('原因').fill('诈骗地址');
  await form.getByRole('button', { name: '加入', exact: true }).click();
  await expect(entries(page).getByRole('row', { name: new RegExp(address) })).toContainText('诈骗地址');

  const { request } = await requestWithdrawals(page, admin.account);
  const id = await request('60', address);
  await page.goto(`/withdraw?open=${id}`);
  const panel = drawer(page).locator('section', { hasText: '筛查' }).first();
  await expect(panel).toContainText('地址在黑名单或制裁名单中，不能通过');
  await expect(panel.getByRole('list', { name: '筛查结果' })).toContainText('诈骗地址');
  await expect(drawer(page).getByRole('button', { name: /^通过提现/ })).toBeHidden();
  await panel.getByRole('button', { name: '绕过筛查' }).click();
  const question = dialog(page, `绕过筛查 #${id}`);
  await question.getByText('已人工核实地址归属').click();
  await question.getByRole('button', { name: '绕过筛查', exact: true }).click();
  await expect(panel.getByRole('list', { name: '筛查结果' })).toContainText('已绕过');
  await expect(drawer(page).getByRole('button', { name: /通过/ }).first()).toBeVisible();
  await expectAccessible(page);

  // Who removes the address sees what went to it.
  await page.goto('/address-list');
  const entry = entries(page).getByRole('row', { name: new RegExp(address) });
  await entry.getByRole('button', { name: '移出' }).click();
  const removal = dialog(page, '移出黑名单');
  await expect(removal.getByRole('link', { name: '1 笔' })).toHaveAttribute('href', `/withdraw?address=${address}`);
  await removal.getByLabel('请输入地址的末六位以确认').fill(address.slice(-6));
  await removal.locator('textarea').fill('已核实归属');
  await removal.getByRole('button', { name: '移出名单' }).click();
  await expect(entry).toBeHidden();
});

test('a file is applied after its difference was shown', async ({ page }) => {
  const address = `TFile${randomUUID().slice(0, 8)}`;
  await logIn(page, admin, '/address-list');
  await activePage(page).getByRole('button', { name: '导入文件' }).click();
  const form = dialog(page, '导入名单文件');
  await form.getByText('黑名单（增加）').click();
  await form.getByLabel('文件').setInputFiles({
    name: 'own.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`address,network,reason\n${address},TRC20,fraud\n`),
  });
  await form.getByLabel('来源').fill('自有调查');
  await form.getByLabel('发布日期').fill('2026-11-20');
  await form.getByRole('button', { name: '上传并查看差异' }).click();
  const question = dialog(page, '应用名单文件：own.csv');
  await expect(question).toContainText('黑名单增加 1 个地址，移除 0 个');
  await question.getByRole('button', { name: '应用', exact: true }).click();
  await expect(question).toBeHidden();
  await activePage(page).getByLabel('搜索地址、备注或原因').fill(address);
  await expect(entries(page).getByRole('row')).toHaveCount(2);
  await expect(entries(page)).toContainText('自有调查');
});
