import { WELCOME_KEY } from '../src/api/handover.ts';
import { kitSelectors } from '../kit-dark.ts';
import {
  admin,
  expect,
  expectAccessible,
  expectAccessibleNow,
  logIn,
  newOperator,
  openMenu,
  activePage,
  test,
} from './desk.ts';

test(
  'the menu has its widths, its entries are links that open tabs, and the page its minimum width',
  { tag: '@short' },
  async ({ page }) => {
    await logIn(page, admin);
    const menu = page.getByRole('navigation', { name: '主菜单' });
    await openMenu(page, '合约交易');
    await expect(page.getByRole('link', { name: '当前委托', exact: true })).toHaveAttribute('href', '/future/wait');
    await openMenu(page, '当前委托');
    await page.waitForURL(/\/future\/wait(\?|$)/);
    await expect(activePage(page).getByRole('heading', { level: 1, name: '当前委托' })).toBeVisible();
    await expect(page).toHaveTitle(/^(\(\d+\+?\) )?当前委托 · 衡台$/);
    await expectAccessible(page);

    expect((await menu.boundingBox())?.width).toBe(250);
    await page.getByRole('button', { name: '收起菜单' }).click();
    await expect.poll(async () => (await menu.boundingBox())?.width).toBe(64);
    await page.goto('/no/such/page');
    await expect.poll(async () => (await menu.boundingBox())?.width).toBe(64);
    await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible();
    await page.getByRole('button', { name: '回到首页' }).click();
    await page.waitForURL(/\/home$/);
    await page.getByRole('button', { name: '展开菜单' }).click();

    await page.setViewportSize({ width: 900, height: 700 });
    expect(await page.locator('#root').evaluate((root) => root.clientWidth)).toBe(1200);
  },
);

test('themes, density, price colours and the time zone are chosen in the header and survive a reload', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await logIn(page, await newOperator(page));
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: '显示设置' }).click();
  for (const name of ['深色', '紧凑', '红涨绿跌']) await page.getByRole('menuitem', { name, exact: true }).click();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^时区/ }).click();
  await page.getByRole('menuitem', { name: /东京/ }).click();
  await expect(page.getByRole('button', { name: '时区 东京 UTC+9' })).toBeVisible();
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: '时区 东京 UTC+9' })).toBeVisible();
  await expect(html).toHaveAttribute('data-density', 'compact');
  await expect(html).toHaveAttribute('data-prices', 'red-up');
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

test('one menu group is open at a time unless chosen otherwise, and the current entry is in sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1200, height: 560 });
  await logIn(page, await newOperator(page));
  const menu = page.getByRole('navigation', { name: '主菜单' });
  const entry = (name: string) => menu.getByRole('menuitem', { name, exact: true });
  await openMenu(page, '用户管理');
  await expect(entry('用户列表')).toBeVisible();
  await openMenu(page, '资金管理');
  await expect(entry('充值记录')).toBeVisible();
  await expect(entry('用户列表')).toBeHidden();
  await openMenu(page, '资金管理');
  await expect(entry('充值记录')).toBeHidden();
  // The group of a page that was opened without the menu is opened, and its entry scrolled to.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('报表');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/report/);
  await expect(entry('报表')).toBeInViewport({ ratio: 1 });
  // A group that is opened below the edge is scrolled to.
  await openMenu(page, '首页');
  await openMenu(page, '安全与审计');
  await openMenu(page, '安全与审计');
  await expect(entry('报表')).toBeInViewport({ ratio: 1 });

  await page.getByRole('button', { name: '显示设置' }).click();
  await page.getByRole('menuitem', { name: '偏好设置…' }).click();
  await page.getByText('可展开多组').click();
  await page.keyboard.press('Escape');
  for (const group of ['用户管理', '资金管理']) await openMenu(page, group);
  await expect(entry('用户列表')).toBeVisible();
  await page.reload();
  await expect(entry('用户列表')).toBeVisible();
  await expect(entry('充值记录')).toBeVisible();
});

test('the theme changes in one frame of all parts, and both themes have every variable', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
  await logIn(page, admin, '/withdraw');
  await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
  await page.evaluate(() => {
    const parts = [
      'body',
      '.ant-table-thead th',
      '.ht-app-header',
      '.ht-app-page:not([style*="none"]) .ant-btn',
      '.ant-menu',
    ];
    const frames: string[] = [];
    const look = () => {
      const colours = parts.map((part) => {
        const { color, backgroundColor } = getComputedStyle(document.querySelector(part) ?? document.body);
        return `${color} ${backgroundColor}`;
      });
      frames.push([document.documentElement.dataset['theme'], ...colours].join(' | '));
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { frames });
  });
  for (const colorScheme of ['dark', 'light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    // Right after the change, not once transitions have ended.
    await expectAccessibleNow(page, undefined, ['color-contrast']);
  }
  const frames = await page.evaluate(() => (window as unknown as { frames: string[] }).frames);
  expect(new Set(frames).size).toBe(2);

  await activePage(page).getByRole('combobox').first().click();
  await activePage(page).locator('[data-row-key]').first().dblclick();
  const selectors = await page.evaluate(() =>
    [...document.styleSheets].flatMap(({ cssRules }) =>
      [...cssRules].flatMap((rule) =>
        rule instanceof CSSStyleRule && rule.selectorText.startsWith('.kit') && rule.cssText.includes('--ant-')
          ? rule.selectorText.split(/,\s*/)
          : [],
      ),
    ),
  );
  expect(selectors.length).toBeGreaterThan(10);
  const known = kitSelectors();
  expect(selectors.filter((selector) => !known.includes(selector))).toEqual([]);
});

test('? lists the keys of every page, and a toast beside the collapsed menu covers nothing', async ({ page }) => {
  await logIn(page, admin);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: '快捷键' });
  await expect(help).toContainText('查找页面、用户、记录或操作');
  await expect(help).not.toContainText('下一行');
  await page.keyboard.press('Escape');
  await openMenu(page, '资金管理');
  await openMenu(page, '提现记录');
  await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
  await page.keyboard.press('?');
  for (const what of ['下一行', '审核队列', '查找页面']) await expect(help).toContainText(what);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '收起菜单' }).click();
  // As after the login.
  await page.evaluate((key) => sessionStorage.setItem(key, '1'), WELCOME_KEY);
  await page.reload();
  // Measured in the page, because the toast ends by itself.
  const places = await page.waitForFunction(() => {
    const [toast, pages] = [document.querySelector('.ht-app-toast'), document.querySelector('.ht-app-pages')];
    return toast && pages && { top: toast.getBoundingClientRect().top, bottom: pages.getBoundingClientRect().bottom };
  });
  const { top, bottom } = (await places.jsonValue()) ?? { top: Number.NaN, bottom: 0 };
  expect(top).toBeGreaterThanOrEqual(bottom);
  await page.getByRole('button', { name: '展开菜单' }).click();
});
