import { admin, expect, expectAccessible, logIn, newOperator, sight, tab, test } from './desk.ts';
import { dialog, elsewhere, listed, loaded, row } from './desk-list.ts';
import { second } from './server.ts';

const unique = () => `e2e-user-${Date.now().toString(36)}`;

test('a user is added and stands in the list', async ({ page }) => {
  await logIn(page, admin, '/user');
  await loaded(page);
  await sight(page).getByRole('button', { name: '新增用户' }).click();
  const form = dialog(page, '新增用户');
  await expect(form.getByLabel('账号')).toBeFocused();
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form.getByText('请输入账号')).toBeVisible();
  await expect(form.getByText('请输入登录密码')).toBeVisible();
  const account = unique();
  await form.getByLabel('账号').fill(account);
  await form.getByLabel('登录密码').fill('short');
  await expect(form.getByText('登录密码为 8–128 位')).toBeVisible();
  await form.getByLabel('登录密码').fill('long enough 1');
  await form.getByLabel('备注').fill('浏览器测试');
  await form.getByLabel('备注').press('Tab');
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText('操作成功')).toBeVisible();
  await sight(page).getByLabel('账号').fill(account.toUpperCase());
  await sight(page).getByLabel('账号').press('Enter');
  const [added] = (await listed(page, 'user/list', { account })).list;
  await expect(row(page, added?.id ?? 0)).toContainText(account);
  await expect(row(page, added?.id ?? 0)).toContainText('浏览器测试');
});

test('an account that is taken keeps the dialog and what was typed', async ({ page }) => {
  const [known] = (await listed(page, 'user/list')).list;
  await logIn(page, admin, '/user');
  await loaded(page);
  await sight(page).getByRole('button', { name: '新增用户' }).click();
  const form = dialog(page, '新增用户');
  await form.getByLabel('账号').fill(known?.account ?? '');
  await form.getByLabel('登录密码').fill('long enough 1');
  await form.getByRole('button', { name: '新增' }).click();
  await expect(form.getByRole('alert').filter({ hasText: '账号已存在' })).toBeVisible();
  await expect(form.getByLabel('账号')).toHaveValue(known?.account ?? '');
  await page.keyboard.press('Escape');
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: '取消' }).click();
  await expect(form).toBeHidden();
  await tab(page, '用户列表').locator('[data-close]').click();
  await page.waitForURL(/\/home$/);
});

test('assets by account type are those of the server', async ({ page }) => {
  const { list } = await listed(page, 'user/list', { size: 50 });
  const someone = list[0];
  if (!someone) throw new Error('no users');
  await logIn(page, admin, '/user?size=50');
  await loaded(page);
  await row(page, someone.id).getByRole('button', { name: '资产' }).click();
  const drawer = page.locator('.ht-reader');
  await expect(drawer).toContainText(`用户资产 · ${someone.account}`);
  const { data } = await elsewhere(page, second, 'GET', 'user/asset', { id: someone.id });
  const assets = data as { marketName: string; platform: number; active: string; frozen: string; total: string }[];
  const fund = drawer.getByRole('region', { name: '资金账户', exact: true });
  for (const asset of assets.filter(({ platform }) => platform === 1)) {
    const cells = await fund.getByRole('row').filter({ hasText: asset.marketName }).getByRole('cell').allInnerTexts();
    expect(cells.slice(1, 4).map((text) => text.replaceAll(',', ''))).toEqual([
      asset.active,
      asset.frozen,
      asset.total,
    ]);
  }
  await drawer.getByText('合约账户', { exact: true }).first().click();
  await expect(fund).toBeHidden();
});

test('without the ability no user is added', async ({ page }) => {
  await logIn(page, await newOperator(page, [13]), '/user');
  await loaded(page);
  const add = sight(page).getByRole('button', { name: '新增用户' });
  await expect(add).toHaveAttribute('aria-disabled', 'true');
  await add.hover();
  await expect(page.getByRole('tooltip', { name: '没有「用户管理」权限' })).toBeVisible();
  await add.click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`users, assets and the form keep nobody out (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await logIn(page, admin, '/user?open=1');
    await loaded(page);
    await expect(page.locator('.ht-reader').getByText('资金账户').first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await sight(page).getByRole('button', { name: '新增用户' }).click();
    await expect(dialog(page, '新增用户')).toBeVisible();
    await expectAccessible(page);
  });
}
