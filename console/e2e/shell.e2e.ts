import { admin, expect, expectAccessible, logIn, newOperator, openMenu, activePage, test } from './desk.ts';

const MENU = [
  '首页',
  '代理管理',
  '用户管理',
  '资金管理',
  '市场管理',
  '行情管理',
  '现货交易',
  '合约交易',
  '秒合约',
  '代币认购',
  '公告管理',
  '系统设置',
  '安全与审计',
];

test('the menu has its order and widths, and the page its minimum width', async ({ page }) => {
  await logIn(page, admin);
  const menu = page.getByRole('navigation', { name: '主菜单' });
  await expect(menu.locator('.ant-menu-root > li > *:first-child, .ant-menu-root > li.ant-menu-item')).not.toHaveCount(
    0,
  );
  const titles = await menu
    .locator('.ant-menu-root > li')
    .evaluateAll((items) =>
      items.map((item) =>
        (item.querySelector('.ant-menu-title-content')?.textContent ?? '').replace(/\d+\+?$/, '').trim(),
      ),
    );
  expect(titles).toEqual(MENU);
  expect((await menu.boundingBox())?.width).toBe(250);
  await page.getByRole('button', { name: '收起菜单' }).click();
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(64);
  await page.reload();
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(64);
  await page.getByRole('button', { name: '展开菜单' }).click();

  await page.setViewportSize({ width: 900, height: 700 });
  expect(await page.locator('#root').evaluate((root) => root.clientWidth)).toBe(1200);
});

test('menu entries are links and open tabs', { tag: '@short' }, async ({ page }) => {
  await logIn(page, admin);
  await openMenu(page, '合约交易');
  await expect(page.getByRole('link', { name: '当前委托', exact: true })).toHaveAttribute('href', '/future/wait');
  await openMenu(page, '当前委托');
  await page.waitForURL(/\/future\/wait(\?|$)/);
  await expect(activePage(page).getByRole('heading', { level: 1, name: '当前委托' })).toBeVisible();
  await expect(page).toHaveTitle(/^(\(\d+\+?\) )?当前委托 · 衡台$/);
});

test('an unknown URL shows a message and a way home', async ({ page }) => {
  await logIn(page, await newOperator(page));
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible();
  await page.getByRole('button', { name: '回到首页' }).click();
  await page.waitForURL(/\/home$/);
});

test('themes, density and price colours are chosen in the header and survive a reload', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await logIn(page, await newOperator(page));
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: '显示设置' }).click();
  for (const name of ['深色', '紧凑', '红涨绿跌']) await page.getByRole('menuitem', { name, exact: true }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(html).toHaveAttribute('data-density', 'compact');
  await expect(html).toHaveAttribute('data-prices', 'red-up');
});

test('the display time zone is chosen in the header', async ({ page }) => {
  await logIn(page, await newOperator(page));
  await page.getByRole('button', { name: /^时区/ }).click();
  await page.getByRole('menuitem', { name: /东京/ }).click();
  await expect(page.getByRole('button', { name: '时区 东京 UTC+9' })).toBeVisible();
});

test('a lost connection shows a banner that disappears after reconnecting', async ({ page, context, complaints }) => {
  await logIn(page, await newOperator(page));
  await expect(activePage(page).getByText('用户总数')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('网络连接中断')).toBeVisible({ timeout: 30_000 });
  await expect(activePage(page).getByText('用户总数')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByText('网络连接中断')).toBeHidden({ timeout: 15_000 });
  // The browser logs each request that failed offline.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')));
});

test('the shell with open menus is accessible', async ({ page }) => {
  await logIn(page, admin);
  await openMenu(page, '代理管理');
  await openMenu(page, '合约交易');
  await openMenu(page, '当前委托');
  await expect(activePage(page).getByRole('heading', { level: 1, name: '当前委托' })).toBeVisible();
  await expectAccessible(page);
});
