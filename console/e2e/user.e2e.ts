import { admin, expect, expectAccessible, logIn, newOperator, activePage, tab, test } from './desk.ts';
import { dialog, callAs, fetchList, waitForRows, row } from './desk-list.ts';
import { openUserList, openRowAction, newUser, confirmPopover, switchOf, fetchUser } from './desk-user.ts';

const uniqueAccount = () => `e2e-user-${Date.now().toString(36)}`;

test('a user is added and appears in the list', { tag: '@short' }, async ({ page }) => {
  await logIn(page, admin, '/user');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '新增用户' }).click();
  const form = dialog(page, '新增用户');
  await expect(form.getByLabel('账号')).toBeFocused();
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form.getByText('请输入账号')).toBeVisible();
  await expect(form.getByText('请输入登录密码')).toBeVisible();
  const account = uniqueAccount();
  await form.getByLabel('账号').fill(account);
  await form.getByLabel('登录密码').fill('short');
  await expect(form.getByText('登录密码为 8–128 位')).toBeVisible();
  await form.getByRole('button', { name: '生成' }).click();
  const password = await form.getByLabel('登录密码').inputValue();
  await form.getByLabel('备注').fill('浏览器测试');
  await form.getByLabel('备注').press('Tab');
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
});

test('an account that already exists keeps the dialog open with its input', async ({ page }) => {
  const [existing] = (await fetchList(page, 'user/list')).list;
  await logIn(page, admin, '/user');
  await waitForRows(page);
  await activePage(page).getByRole('button', { name: '新增用户' }).click();
  const form = dialog(page, '新增用户');
  await form.getByLabel('账号').fill(existing?.account ?? '');
  await form.getByLabel('登录密码').fill('long enough 1');
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form.getByRole('alert').filter({ hasText: '账号已存在' })).toBeVisible();
  await expect(form.getByLabel('账号')).toHaveValue(existing?.account ?? '');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: '取消' }).click();
  await expect(form).toBeHidden();
  await tab(page, '用户列表').locator('[data-close]').click();
  await page.waitForURL(/\/home$/);
});

test('each switch names the user in its confirmation and is saved', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  const switches = [
    ['交易', 'trade', 0, `关闭 ${user.account} 的「交易」？`, '关闭'],
    ['认购买入', 'ieoBuy', 0, `关闭 ${user.account} 的「认购买入」？`, '关闭'],
    ['认购卖出', 'ieoSell', 0, `关闭 ${user.account} 的「认购卖出」？`, '关闭'],
    ['智能跟单', 'ai', 1, `开启 ${user.account} 的「智能跟单」？`, '开启'],
    ['账号', 'state', 0, `冻结用户 ${user.account}？`, '冻结'],
    ['账号', 'state', 1, `启用用户 ${user.account}？`, '启用'],
  ] as const;
  for (const [name, field, target, question, verb] of switches) {
    const switchButton = switchOf(page, user, name);
    await expect(switchButton).toHaveAttribute('aria-checked', String(target === 0));
    await switchButton.click();
    await expect(confirmPopover(page)).toContainText(question);
    await confirmPopover(page).getByRole('button', { name: verb }).click();
    await expect(switchButton).toHaveAttribute('aria-checked', String(target === 1));
    await expect(confirmPopover(page)).toHaveCount(0);
    expect((await fetchUser(page, user.id))[field]).toBe(target);
  }
});

test('a switch is confirmed by keyboard, and Escape leaves it unchanged', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  const trade = switchOf(page, user, '交易');
  await trade.focus();
  await page.keyboard.press('Enter');
  await expect(confirmPopover(page).getByRole('button', { name: '取消' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(confirmPopover(page)).toHaveCount(0);
  await expect(trade).toBeFocused();
  expect((await fetchUser(page, user.id)).trade).toBe(1);
  await page.keyboard.press('Enter');
  await expect(confirmPopover(page).getByRole('button', { name: '取消' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(trade).toHaveAttribute('aria-checked', 'false');
  expect((await fetchUser(page, user.id)).trade).toBe(0);
});

test('a switch changed by another operator shows the current value with a message', async ({ page }) => {
  const user = await newUser(page);
  await openUserList(page, user);
  await switchOf(page, user, '账号').click();
  expect((await callAs(page, admin, 'POST', 'user/state/disable', { id: user.id })).code).toBe(200);
  await confirmPopover(page).getByRole('button', { name: '冻结' }).click();
  await expect(confirmPopover(page).getByRole('alert')).toContainText('冻结');
  await expect(confirmPopover(page).getByRole('button', { name: '冻结' })).toBeDisabled();
  await expect(switchOf(page, user, '账号')).toHaveAttribute('aria-checked', 'false');
  await confirmPopover(page).getByRole('button', { name: '取消' }).click();
  await expect(row(page, user.id)).toContainText('冻结');
});

test('without the ability every switch and action is disabled with a reason', async ({ page }) => {
  const user = await newUser(page);
  await logIn(page, await newOperator(page, [13]), `/user?id=${user.id}`);
  await waitForRows(page);
  const tooltip = page.getByRole('tooltip', { name: '没有「用户管理」权限' });
  const add = activePage(page).getByRole('button', { name: '新增用户' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await add.hover();
  await expect(tooltip).toBeVisible();
  await add.click({ force: true });
  const trade = switchOf(page, user, '交易');
  await expect(trade).toHaveAttribute('aria-disabled', 'true');
  await trade.hover();
  await expect(tooltip.last()).toBeVisible();
  await trade.click({ force: true });
  await expect(confirmPopover(page)).toHaveCount(0);
  await row(page, user.id)
    .getByRole('button', { name: `用户 ${user.account} 的更多操作` })
    .click();
  for (const name of ['重置密码', '更换代理', '用户组', '收益率档位', '客服链接', '修改备注', '删除']) {
    const item = page.getByRole('menuitem', { name });
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(item).toContainText('没有「用户管理」权限');
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the list, its confirmations and its dialogs are accessible', async ({ page }) => {
  const user = await newUser(page);
  await logIn(page, admin, `/user?id=${user.id}`);
  await waitForRows(page);
  await expectAccessible(page);
  await switchOf(page, user, '账号').click();
  await expect(confirmPopover(page)).toBeVisible();
  await expectAccessible(page);
  await confirmPopover(page).getByRole('button', { name: '取消' }).click();
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
