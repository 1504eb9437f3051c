import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, test } from './desk.ts';
import { dialog, callAs, searchParamsOf, row } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { type User, openUserList, openRowAction, newUser, fetchUser } from './desk-user.ts';
import { secondOperator } from './server.ts';

/** A new user with 8 USDT available and 12 USDT frozen for a pending withdrawal. */
async function createWithdrawingUser(page: Page): Promise<User> {
  const user = await newUser(page);
  const wallet = { account: user.account, market: 'USDT', network: 'TRC20', address: `T${user.id}` };
  await sendEvents(
    { type: 'recharge.credited', data: { no: randomUUID(), ...wallet, amount: '20', confirmations: 20, source: 1 } },
    { type: 'withdraw.requested', data: { no: randomUUID(), ...wallet, amount: '12', fee: '0' } },
  );
  return user;
}

test('a generated password is shown once, after it was saved', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '重置密码');
  const modal = dialog(page, '重置密码');
  await expect(modal).toContainText(`${user.account}（${user.id}）`);
  await expect(modal.getByRole('button', { name: '取消' })).toBeFocused();
  const field = modal.getByRole('textbox', { name: '新密码' });
  await field.fill('short');
  await expect(modal.getByText('新密码为 8–128 位').first()).toBeVisible();
  await expect(modal.getByRole('button', { name: '重置密码' })).toBeDisabled();
  await modal.getByRole('button', { name: '生成' }).click();
  const password = await field.inputValue();
  expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
  await modal.getByRole('button', { name: '生成' }).click();
  const regenerated = await field.inputValue();
  expect(regenerated).not.toBe(password);
  await field.focus();
  await page.keyboard.press('Enter');
  await expect(modal).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const passwordDialog = dialog(page, `${user.account} 的新密码`);
  await expect(passwordDialog.getByLabel('新密码', { exact: true })).toHaveText(regenerated);
  await expect(passwordDialog.getByRole('button', { name: '复制新密码' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(passwordDialog).toBeVisible();
  await passwordDialog.getByRole('button', { name: '已保存，关闭' }).click();
  await expect(passwordDialog).toBeHidden();
  await expect(page.getByText(regenerated)).toHaveCount(0);
  const { data } = await callAs(page, admin, 'GET', 'user/detail', { id: user.id });
  expect((data as { credentials: { kind: string }[] }).credentials.map(({ kind }) => kind)).toEqual(['password']);
});

test('the payout tier dialog explains the tier, accepts 1 to 100, and updates the list', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '收益率档位');
  const modal = dialog(page, '收益率档位');
  await expect(modal).toContainText('从不决定盈亏');
  await expect(modal.getByText('已是「标准收益率」')).toBeVisible();
  await modal.getByText('专属收益率', { exact: true }).click();
  const rate = modal.getByLabel('收益率', { exact: true });
  for (const invalid of ['0.99', '100.01', '八十', '1e1']) {
    await rate.fill(invalid);
    await expect(modal.getByText('收益率为 1–100')).toBeVisible();
    await expect(modal.getByRole('button', { name: '更改档位' })).toBeDisabled();
  }
  await rate.fill('85.50');
  await expect(modal).toContainText('盈利时按本金的 85.5% 赔付');
  await page.keyboard.press('Control+Enter');
  await expect(modal).toBeHidden();
  await expect(row(page, user.id)).toContainText('专属收益率 85.5%');
  expect(await fetchUser(page, user.id)).toMatchObject({ winType: 1, winRate: '85.5' });
});

test('a support link requires a reason, counts down, and disappears when it expires', async ({ page }) => {
  const user = await newUser(page);
  await page.clock.install();
  await openUserList(page, user);
  await openRowAction(page, user, '客服链接');
  const modal = dialog(page, '客服链接');
  await expect(modal.getByRole('button', { name: '生成链接' })).toBeDisabled();
  await modal.getByRole('button', { name: '协助用户操作' }).click();
  await page.keyboard.press('Control+Enter');
  const linkDialog = dialog(page, `${user.account} 的客服链接`);
  const link = linkDialog.getByLabel('链接', { exact: true });
  await expect(link).toHaveText(/^https?:\/\/\S+token=\S+$/);
  await expect(linkDialog.getByRole('button', { name: '复制链接' })).toBeVisible();
  await expect(linkDialog.getByRole('timer')).toHaveText(/^[45]:\d\d 后失效$/);
  await page.clock.fastForward('05:01');
  await expect(linkDialog).toContainText('链接已失效');
  await expect(link).toHaveCount(0);
  await linkDialog.getByRole('button', { name: '关闭' }).last().click();
  await expect(linkDialog).toBeHidden();
});

test('the remark is changed in its dialog', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '修改备注');
  const form = dialog(page, `修改备注 · ${user.account}`);
  await expect(form.getByLabel('备注')).toBeFocused();
  await expect(form.getByRole('button', { name: '保存' })).toBeDisabled();
  await form.getByLabel('备注').fill('VIP 客户');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toBeHidden();
  await expect(row(page, user.id)).toContainText('VIP 客户');
});

test('the reasons against deleting a user are listed with links', async ({ page }) => {
  const user = await createWithdrawingUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '删除');
  const modal = dialog(page, '删除用户');
  const reasons = modal.getByRole('region', { name: '不能删除的原因' });
  await expect(reasons.getByRole('listitem').filter({ hasText: '待审核' }).first()).toContainText('通过或驳回');
  await expect(reasons.getByRole('listitem').filter({ hasText: '资金账户 USDT 可用 8' })).toHaveCount(1);
  await expect(reasons.getByRole('listitem').filter({ hasText: '资金账户 USDT 冻结 12' })).toHaveCount(1);
  await expect(modal.getByRole('button', { name: '删除用户' })).toBeDisabled();
  await reasons.locator('a[href^="/withdraw"]').getByText('前往').first().click();
  await expect(modal).toBeHidden();
  await page.waitForURL(/\/withdraw\?/);
  expect(searchParamsOf(page).get('userId')).toBe(String(user.id));
});

test('a refused deletion lists the reasons of the server and can be retried', async ({ page, complaints }) => {
  const user = await createWithdrawingUser(page);
  await openUserList(page, user);
  // Without the profile the dialog cannot list the reasons in advance.
  await page.route('**/user/detail?*', (route) => route.abort());
  await openRowAction(page, user, '删除');
  const modal = dialog(page, '删除用户');
  await modal.getByRole('button', { name: '重复账号' }).click();
  await modal.getByLabel('请输入账号以确认').fill(user.account);
  // The profile request is retried a few times before the dialog continues without it.
  await expect(modal.getByRole('button', { name: /删除用户/ })).not.toHaveClass(/loading/);
  await page.keyboard.press('Control+Enter');
  await expect(modal.getByRole('alert')).toContainText('用户仍有未了结的事项');
  await expect(modal.getByRole('region', { name: '不能删除的原因' }).getByRole('listitem').first()).toBeVisible();
  await expect(modal.getByRole('button', { name: '删除用户' })).toBeEnabled();
  await page.unroute('**/user/detail?*');
  complaints.length = 0;
  expect((await fetchUser(page, user.id)).id).toBe(user.id);
});

test('a user without balances or open records is deleted after typing the account', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '删除');
  const modal = dialog(page, '删除用户');
  await modal.getByRole('button', { name: '测试账号' }).click();
  await modal.getByLabel('请输入账号以确认').fill(user.account.slice(0, -1));
  await expect(modal.getByRole('button', { name: '删除用户' })).toBeDisabled();
  await modal.getByLabel('请输入账号以确认').fill(user.account);
  await modal.getByRole('button', { name: '删除用户' }).click();
  await expect(modal).toBeHidden();
  await expect(row(page, user.id)).toHaveCount(0);
  expect((await callAs(page, secondOperator, 'GET', 'user/detail', { id: user.id })).code).toBe(404);
});
