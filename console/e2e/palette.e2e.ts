import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs, rows, table } from './desk-list.ts';
import { navigateInApp, waitForList } from './list-helpers.ts';

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

test('the watermark is behind accounts and money, not behind charts, dialogs and pages without them', async ({
  page,
}) => {
  await logIn(page, admin);
  await expect(activePage(page).locator('canvas').first()).toBeVisible();
  await expect.poll(() => findWatermarks(page)).toEqual(['ht-chart-panel-body', 'ht-chart-panel-body']);
  await navigateInApp(page, '/withdraw');
  await waitForList(page);
  const tile = await table(page)
    .locator('.ant-table')
    .evaluate((element) => decodeURIComponent(getComputedStyle(element).backgroundImage));
  expect(tile).toContain(`>${admin.account}<`);
  expect(tile).toContain('fill-opacity=".04"');
  await rows(page).first().getByRole('button', { name: '详情' }).click();
  await expect(page.locator('.ht-dialog-drawer .ht-records-case')).toBeVisible();
  await expect.poll(() => findWatermarks(page)).toEqual(['ant-table', 'ant-drawer-body']);
  await page.keyboard.press('?');
  await expect(dialog(page, '快捷键')).toBeVisible();
  expect(await findWatermarks(page)).toEqual(['ant-table', 'ant-drawer-body']);
  await navigateInApp(page, '/market');
  await waitForList(page);
  await expect.poll(() => findWatermarks(page)).toEqual([]);
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
