import { admin, expect, expectAccessible, logIn, activePage, test } from './desk.ts';
import { dialog, fetchList, waitForRows, row } from './desk-list.ts';
import { openUserList, openRowAction, newUser, confirmPopover, switchOf, fetchUser } from './desk-user.ts';

const uniqueAccount = () => `e2e-user-${Date.now().toString(36)}`;

test(
  'a user is added after an account that exists was refused, and appears in the list',
  { tag: '@short' },
  async ({ page }) => {
    await logIn(page, admin, '/user');
    await waitForRows(page);
    await activePage(page).getByRole('button', { name: '新增用户' }).click();
    const form = dialog(page, '新增用户');
    await expect(form.getByLabel('账号')).toBeFocused();
    await form.getByRole('button', { name: '新增' }).click();
    await expect(form.getByText('请输入账号')).toBeVisible();
    await expect(form.getByText('请输入登录密码')).toBeVisible();
    const account = uniqueAccount();
    const existing = await newUser(page);
    await form.getByLabel('账号').fill(existing.account);
    await form.getByLabel('登录密码').fill('short');
    await expect(form.getByText('登录密码为 8–128 位')).toBeVisible();
    await form.getByRole('button', { name: '生成' }).click();
    const password = await form.getByLabel('登录密码').inputValue();
    await form.getByLabel('备注').fill('浏览器测试');
    await form.getByLabel('备注').press('Tab');
    await form.getByRole('button', { name: '新增' }).click();
    await expect(form.getByRole('alert').filter({ hasText: '账号已存在' })).toBeVisible();
    // What was typed is not lost.
    await page.keyboard.press('Escape');
    await expect(form.getByLabel('备注')).toHaveValue('浏览器测试');
    await form.getByLabel('账号').fill(account);
    await form.getByRole('button', { name: '新增' }).click();
    await expect(page.getByText(`已新增用户 ${account}`)).toBeVisible();
    const passwordDialog = dialog(page, `用户 ${account} 已新增`);
    await expect(passwordDialog.getByLabel('登录密码', { exact: true })).toHaveText(password);
    await passwordDialog.getByRole('button', { name: '已保存，关闭' }).click();
    await expect(passwordDialog).toBeHidden();
    await activePage(page).getByLabel('账号', { exact: true }).fill(account.toUpperCase());
    await activePage(page).getByLabel('账号', { exact: true }).press('Enter');
    const [user] = (await fetchList(page, 'user/list', { account })).list;
    await expect(row(page, user?.id ?? 0)).toContainText(account);
    await expect(row(page, user?.id ?? 0)).toContainText('浏览器测试');
  },
);

test('a switch is confirmed and saved, and its confirmation and the dialogs are accessible', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  const account = switchOf(page, user, '账号');
  await account.click();
  await expect(confirmPopover(page)).toContainText(`冻结用户 ${user.account}？`);
  await expectAccessible(page, '.ant-popover');
  await confirmPopover(page).getByRole('button', { name: '冻结' }).click();
  await expect(account).toHaveAttribute('aria-checked', 'false');
  await expect(confirmPopover(page)).toHaveCount(0);
  expect((await fetchUser(page, user.id))['state']).toBe(0);
  for (const [action, name] of [
    ['重置密码', '重置密码'],
    ['更换代理', '更换代理'],
    ['用户组', '调整用户组'],
    ['收益率档位', '收益率档位'],
    ['修改备注', /^修改备注/],
    ['删除', '删除用户'],
  ] as const) {
    await openRowAction(page, user, action);
    await expect(dialog(page, name)).toBeVisible();
    await expectAccessible(page);
    await dialog(page, name).getByRole('button', { name: '取消' }).click();
    await expect(dialog(page, name)).toHaveCount(0);
  }
});
