import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { admin, expect, test } from './desk.ts';
import { dialog, callAs, searchParamsOf, row } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { type User, openUserList, openRowAction, newUser, fetchUser } from './desk-user.ts';
import { second } from './server.ts';

/** A new user with 8 USDT available and 12 USDT frozen for a pending withdrawal. */
async function withdrawingUser(page: Page): Promise<User> {
  const user = await newUser(page);
  const chain = { account: user.account, market: 'USDT', network: 'TRC20', address: `T${user.id}` };
  await sendEvents(
    { type: 'recharge.credited', data: { no: randomUUID(), ...chain, amount: '20', confirmations: 20, source: 1 } },
    { type: 'withdraw.requested', data: { no: randomUUID(), ...chain, amount: '12', fee: '0' } },
  );
  return user;
}

test('a generated password is shown once, after it was saved', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '重置密码');
  const ask = dialog(page, '重置密码');
  await expect(ask).toContainText(`${user.account}（${user.id}）`);
  await expect(ask.getByRole('button', { name: '取消' })).toBeFocused();
  const field = ask.getByRole('textbox', { name: '新密码' });
  await field.fill('short');
  await expect(ask.getByText('新密码为 8–128 位').first()).toBeVisible();
  await expect(ask.getByRole('button', { name: '重置密码' })).toBeDisabled();
  await ask.getByRole('button', { name: '生成' }).click();
  const password = await field.inputValue();
  expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
  await ask.getByRole('button', { name: '生成' }).click();
  const again = await field.inputValue();
  expect(again).not.toBe(password);
  await field.focus();
  await page.keyboard.press('Enter');
  await expect(ask).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const once = dialog(page, `${user.account} 的新密码`);
  await expect(once.getByLabel('新密码', { exact: true })).toHaveText(again);
  await expect(once.getByRole('button', { name: '复制新密码' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(once).toBeVisible();
  await once.getByRole('button', { name: '已保存，关闭' }).click();
  await expect(once).toBeHidden();
  await expect(page.getByText(again)).toHaveCount(0);
  const { data } = await callAs(page, admin, 'GET', 'user/detail', { id: user.id });
  expect((data as { credentials: { kind: string }[] }).credentials.map(({ kind }) => kind)).toEqual(['password']);
});

test('the payout tier dialog explains the tier, accepts 1 to 100, and updates the list', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '收益率档位');
  const ask = dialog(page, '收益率档位');
  await expect(ask).toContainText('从不决定盈亏');
  await expect(ask.getByText('已是「标准收益率」')).toBeVisible();
  await ask.getByText('专属收益率', { exact: true }).click();
  const rate = ask.getByLabel('收益率', { exact: true });
  for (const wrong of ['0.99', '100.01', '八十', '1e1']) {
    await rate.fill(wrong);
    await expect(ask.getByText('收益率为 1–100')).toBeVisible();
    await expect(ask.getByRole('button', { name: '更改档位' })).toBeDisabled();
  }
  await rate.fill('85.50');
  await expect(ask).toContainText('盈利时按本金的 85.5% 赔付');
  await page.keyboard.press('Control+Enter');
  await expect(ask).toBeHidden();
  await expect(row(page, user.id)).toContainText('专属收益率 85.5%');
  expect(await fetchUser(page, user.id)).toMatchObject({ winType: 1, winRate: '85.5' });
});

test('a support link requires a reason, counts down, and disappears when it expires', async ({ page }) => {
  const user = await newUser(page);
  await page.clock.install();
  await openUserList(page, user);
  await openRowAction(page, user, '客服链接');
  const ask = dialog(page, '客服链接');
  await expect(ask.getByRole('button', { name: '生成链接' })).toBeDisabled();
  await ask.getByRole('button', { name: '协助用户操作' }).click();
  await page.keyboard.press('Control+Enter');
  const once = dialog(page, `${user.account} 的客服链接`);
  const link = once.getByLabel('链接', { exact: true });
  await expect(link).toHaveText(/^https?:\/\/\S+token=\S+$/);
  await expect(once.getByRole('button', { name: '复制链接' })).toBeVisible();
  await expect(once.getByRole('timer')).toHaveText(/^[45]:\d\d 后失效$/);
  await page.clock.fastForward('05:01');
  await expect(once).toContainText('链接已失效');
  await expect(link).toHaveCount(0);
  await once.getByRole('button', { name: '关闭' }).last().click();
  await expect(once).toBeHidden();
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
  const user = await withdrawingUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '删除');
  const ask = dialog(page, '删除用户');
  const reasons = ask.getByRole('region', { name: '不能删除的原因' });
  await expect(reasons.getByRole('listitem').filter({ hasText: '待审核' }).first()).toContainText('通过或驳回');
  await expect(reasons.getByRole('listitem').filter({ hasText: '资金账户 USDT 可用 8' })).toHaveCount(1);
  await expect(reasons.getByRole('listitem').filter({ hasText: '资金账户 USDT 冻结 12' })).toHaveCount(1);
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeDisabled();
  await reasons.locator('a[href^="/withdraw"]').getByText('前往').first().click();
  await expect(ask).toBeHidden();
  await page.waitForURL(/\/withdraw\?/);
  expect(searchParamsOf(page).get('userId')).toBe(String(user.id));
});

test('a refused deletion lists the reasons of the server and can be retried', async ({ page, complaints }) => {
  const user = await withdrawingUser(page);
  await openUserList(page, user);
  // Without the profile the dialog cannot list the reasons in advance.
  await page.route('**/user/detail?*', (route) => route.abort());
  await openRowAction(page, user, '删除');
  const ask = dialog(page, '删除用户');
  await ask.getByRole('button', { name: '重复账号' }).click();
  await ask.getByLabel('请输入账号以确认').fill(user.account);
  // The profile request is retried a few times before the dialog continues without it.
  await expect(ask.getByRole('button', { name: /删除用户/ })).not.toHaveClass(/loading/);
  await page.keyboard.press('Control+Enter');
  await expect(ask.getByRole('alert')).toContainText('用户仍有未了结的事项');
  await expect(ask.getByRole('region', { name: '不能删除的原因' }).getByRole('listitem').first()).toBeVisible();
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeEnabled();
  await page.unroute('**/user/detail?*');
  complaints.length = 0;
  expect((await fetchUser(page, user.id)).id).toBe(user.id);
});

test('a user without balances or open records is deleted after typing the account', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await openRowAction(page, user, '删除');
  const ask = dialog(page, '删除用户');
  await ask.getByRole('button', { name: '测试账号' }).click();
  await ask.getByLabel('请输入账号以确认').fill(user.account.slice(0, -1));
  await expect(ask.getByRole('button', { name: '删除用户' })).toBeDisabled();
  await ask.getByLabel('请输入账号以确认').fill(user.account);
  await ask.getByRole('button', { name: '删除用户' }).click();
  await expect(ask).toBeHidden();
  await expect(row(page, user.id)).toHaveCount(0);
  expect((await callAs(page, second, 'GET', 'user/detail', { id: user.id })).code).toBe(404);
});
