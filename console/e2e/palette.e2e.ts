import type { Page } from '@playwright/test';
import { newUser } from './desk-user.ts';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs, rows, table } from './desk-list.ts';
import { waitForList } from './list-helpers.ts';

test('the palette opens a page by its initials and a user by account, and remembers both', async ({ page }) => {
  await logIn(page, admin, '/market');
  const { data } = await callAs(page, admin, 'GET', 'user/list', { size: 1 });
  const [user] = (data as { list: { id: number; account: string }[] }).list;
  const palette = dialog(page, '查找');
  // Keys typed before the palette has rendered must not be lost.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zjjl');
  await expect(palette.getByRole('option', { name: /资金记录/ })).toHaveAttribute('aria-selected', 'true');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/fund\/record(\?|$)/);
  await page.getByRole('button', { name: '查找' }).click();
  await palette.getByRole('combobox').fill(user?.account ?? '');
  await expect(palette.getByRole('option', { name: new RegExp(`用户 #${user?.id}$`) })).toBeVisible();
  // Enter that ends an IME composition selects nothing.
  await palette.getByRole('combobox').dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  await expect(palette).toBeVisible();
  await page.keyboard.press('Enter');
  // The list adds its page size as soon as it is there.
  await expect(page).toHaveURL(new RegExp(`/user\\?id=${user?.id}&open=${user?.id}(&size=\\d+)?$`));
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('group', { name: '最近' }).getByRole('option')).toHaveText([/用户 #/, /资金记录/]);
  await expect(palette.getByRole('group', { name: '页面' }).getByRole('option').first()).toContainText('首页');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/fund\/record(\?|$)/);
  await expect(palette).toBeHidden();
});

/** First class names of the visible elements with a watermark behind them. */
const findWatermarks = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          element.checkVisibility() && getComputedStyle(element).backgroundImage.includes('data:image/svg+xml'),
      )
      .map((element) => element.classList[0]),
  );

test('the palette offers nothing forbidden, and pages without money have no watermark', async ({ page }) => {
  const operator = await newOperator(page);
  const { data } = await callAs(page, admin, 'GET', 'user/list', { size: 1 });
  const [user] = (data as { list: { account: string }[] }).list;
  await logIn(page, operator, '/withdraw');
  await expect.poll(() => findWatermarks(page)).toEqual(['ant-table']);
  const tile = await table(page)
    .locator('.ant-table')
    .evaluate((element) => decodeURIComponent(getComputedStyle(element).backgroundImage));
  expect(tile).toContain(`>${operator.account}<`);
  expect(tile).toContain('fill-opacity=".04"');
  const palette = dialog(page, '查找');
  for (const query of ['系统设置', 'sjrz', user?.account ?? '']) {
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill(query);
    await expect(palette).toContainText('没有找到');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  }
  await page.goto('/market');
  await expect(activePage(page).getByRole('heading', { name: '市场管理' })).toBeVisible();
  await waitForList(page);
  expect(await findWatermarks(page)).toEqual([]);
});

test('the watermark is behind accounts and money of the home page and of a case, not behind charts and dialogs', async ({
  page,
}) => {
  await logIn(page, admin);
  await expect(activePage(page).locator('canvas').first()).toBeVisible();
  await expect.poll(() => findWatermarks(page)).toEqual(['ht-panel-body', 'ht-panel-body']);
  await page.goto('/withdraw');
  await rows(page).first().getByRole('button', { name: '详情' }).click();
  await expect(page.locator('.ht-page-drawer .ht-case')).toBeVisible();
  await expect.poll(() => findWatermarks(page)).toEqual(['ant-table', 'ant-drawer-body']);
  await page.keyboard.press('?');
  await expect(dialog(page, '快捷键')).toBeVisible();
  expect(await findWatermarks(page)).toEqual(['ant-table', 'ant-drawer-body']);
});

test('the palette finds a user by part of the remark and a withdrawal by the end of its address', async ({ page }) => {
  await logIn(page, admin, '/market');
  const { data } = await callAs(page, admin, 'GET', 'withdraw/list', { size: 1 });
  const [row] = (data as { list: { id: number; userId: number; account: string; address: string }[] }).list;
  if (!row) throw new Error('the simulator made no withdrawal');
  await callAs(page, admin, 'POST', 'user/remark', { id: row.userId, remark: '重点客户欧阳询' });
  const palette = dialog(page, '查找');
  const input = palette.getByRole('combobox');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('abc');
  await page.keyboard.press('Backspace');
  await expect(input).toHaveValue('ab');
  await input.fill('欧阳');
  await expect(palette.getByRole('option', { name: new RegExp(`${row.account}.*欧阳询`) })).toBeVisible();
  await input.fill(row.address.slice(-6));
  await expect(palette.getByRole('option', { name: new RegExp(`提现 #${row.id}\\b`) })).toBeVisible();
  await input.fill(row.account.slice(1));
  await expect(palette.getByRole('option', { name: new RegExp(`用户 #${row.userId}$`) })).toBeVisible();
});

test('the palette runs verbs, each with the abilities of the operator', async ({ page }) => {
  const operator = await newOperator(page);
  const { account } = await newUser(page, operator.account);
  await logIn(page, operator, '/market');
  const palette = dialog(page, '查找');
  const input = palette.getByRole('combobox');
  const run = async (text: string) => {
    await page.keyboard.press('Control+k');
    await input.fill(text);
    await expect(palette.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  const theme = await page.locator('html').getAttribute('data-theme');
  await run('切换主题');
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme === 'dark' ? 'light' : 'dark');
  await run('dkkf');
  await expect(page).toHaveURL(/\/service$/);
  for (const text of ['开始审核', `冻结 ${account}`]) {
    await page.keyboard.press('Control+k');
    await input.fill(text);
    await expect(palette).toContainText('没有找到');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  }
});

test('the palette starts the review queue and freezes a user after a confirmation', async ({ page }) => {
  await logIn(page, admin, '/market');
  const { data } = await callAs(page, admin, 'GET', 'user/list', { size: 1, state: 1 });
  const [user] = (data as { list: { id: number; account: string }[] }).list;
  const palette = dialog(page, '查找');
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill(`冻结 ${user?.account}`);
  await expect(palette.getByRole('option').first()).toContainText(`冻结 ${user?.account}`);
  await page.keyboard.press('Enter');
  const confirm = dialog(page, '冻结用户');
  await expect(confirm).toContainText(user?.account ?? '');
  await confirm.getByRole('button', { name: '冻结' }).click();
  await expect(confirm).toBeHidden();
  const { data: after } = await callAs(page, admin, 'GET', 'user/list', { id: user?.id });
  expect((after as { list: { state: number }[] }).list[0]?.state).toBe(0);
  await callAs(page, admin, 'POST', 'user/state/enable', { id: user?.id });
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('开始审核');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/withdraw\?.*queue=1/);
  await expect(activePage(page).getByRole('button', { name: '退出队列' })).toBeVisible();
  await expect(palette).toBeHidden();
  await page.keyboard.press('q');
  await expect(page).not.toHaveURL(/queue=1/);
});

test('characters typed before the results are loaded are kept, Chinese input methods included', async ({ page }) => {
  await logIn(page, await newOperator(page), '/market');
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/PaletteResults/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(activePage(page).getByRole('heading', { level: 1 })).toBeVisible();
  const devtools = await page.context().newCDPSession(page);
  const input = dialog(page, '查找').getByRole('combobox');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zx');
  await page.keyboard.press('Backspace');
  await devtools.send('Input.imeSetComposition', { text: '资', selectionStart: 1, selectionEnd: 1 });
  await expect(input).toHaveValue('z资');
  // The composition goes on while the results arrive.
  release();
  await expect(dialog(page, '查找')).toContainText('没有找到');
  await devtools.send('Input.insertText', { text: '资金' });
  await expect(input).toHaveValue('z资金');
  await expect(input).toBeFocused();
  await input.fill('');
  await page.keyboard.type('zjjl');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/fund\/record(\?|$)/);
  await page.unrouteAll();
});

test('an account that begins with the input goes before pages, unless the input names a page', async ({ page }) => {
  const account = `txj${Date.now().toString(36)}`;
  await callAs(page, admin, 'POST', 'user/add', { account, password: 'first-password-1' });
  await callAs(page, admin, 'POST', 'user/add', { account: `txjl${account}`, password: 'first-password-1' });
  await logIn(page, admin, '/market');
  const palette = dialog(page, '查找');
  await page.keyboard.press('Control+k');
  // These letters also match 提现记录.
  await page.keyboard.type('txj');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/user\?id=\d+/);
  await expect(palette).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('txjl');
  await expect(palette.getByRole('group', { name: '用户' })).toContainText(`txjl${account}`);
  await expect(palette.getByRole('option').first()).toContainText('提现记录');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});
