import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { dialog, callAs } from './desk-list.ts';

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
  await expect(page).toHaveURL(/\/fund\/record$/);
  await page.getByRole('button', { name: '查找' }).click();
  await palette.getByRole('combobox').fill(user?.account ?? '');
  await expect(palette.getByRole('option', { name: new RegExp(`用户 #${user?.id}$`) })).toBeVisible();
  // Enter that ends an IME composition selects nothing.
  await palette.getByRole('combobox').dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  await expect(palette).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/user\\?id=${user?.id}&open=${user?.id}$`));
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('option')).toHaveText([/用户 #/, /资金记录/]);
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/fund\/record$/);
  await expect(palette).toBeHidden();
});

test('the palette offers nothing forbidden, and pages without money have no watermark', async ({ page }) => {
  const operator = await newOperator(page);
  const { data } = await callAs(page, admin, 'GET', 'user/list', { size: 1 });
  const [user] = (data as { list: { account: string }[] }).list;
  await logIn(page, operator, '/withdraw');
  const watermark = page.locator('.sh-watermark');
  await expect(watermark).toHaveCSS('pointer-events', 'none');
  expect(decodeURIComponent(await watermark.evaluate((layer) => layer.style.backgroundImage))).toContain(
    operator.account,
  );
  // It is over the page only, neither over the menu nor over the header.
  const box = await watermark.boundingBox();
  expect([box?.x, box?.y].map(Math.round as (value?: number) => number)).toEqual([250, 48]);
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
  await expect(watermark).toHaveCount(0);
});
