import type { Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, openMenu, activePage, test } from './desk.ts';
import { rows } from './desk-list.ts';
import { navigateInApp, waitForList } from './list-helpers.ts';

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

/** Tones of the visible states and the shapes of their marks, as they look without colour. */
const shapesOf = (page: Page): Promise<string[]> =>
  activePage(page)
    .locator('.ht-table .ht-state')
    .evaluateAll((states) => {
      const shapes = states.map((state) => {
        const mark = state.querySelector('i') as HTMLElement;
        const { backgroundColor } = getComputedStyle(mark);
        const isFilled = backgroundColor !== 'rgba(0, 0, 0, 0)';
        const shape = mark.offsetHeight < mark.offsetWidth ? 'dash' : isFilled ? 'dot' : 'ring';
        return `${state.getAttribute('data-tone')} ${shape}`;
      });
      return [...new Set(shapes)];
    });

const SHAPES = ['wait dot', 'warn dot', 'run ring', 'good dash', 'bad dash', 'idle dash'];

/** Sizes, line heights and weights of the visible text of an element. */
const typeOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((element) => {
      const { fontSize, lineHeight, fontWeight } = getComputedStyle(element);
      return { size: fontSize, line: lineHeight, weight: fontWeight };
    });

/** Weights of all text in the window other than those of the scale. */
const oddWeights = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll<HTMLElement>('#root *, .ant-drawer *')];
    const odd = elements.filter(
      (element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()) &&
        !['400', '500', '600'].includes(getComputedStyle(element).fontWeight),
    );
    return odd.map((element) => `${element.className}: ${element.textContent}`);
  });

test('states differ in shape, and text has the sizes and weights of the scale', async ({ page }) => {
  await logIn(page, admin, '/withdraw');
  await waitForList(page);
  await expect(rows(page).first()).toBeVisible();
  const seen = await shapesOf(page);
  for (const path of ['/trade/order', '/future/open', '/approval', '/recharge']) {
    await navigateInApp(page, path);
    await waitForList(page);
    seen.push(...(await shapesOf(page)));
  }
  expect(SHAPES).toEqual(expect.arrayContaining(seen));
  expect(seen).toEqual(expect.arrayContaining(['wait dot', 'run ring', 'good dash']));

  await navigateInApp(page, '/withdraw', { state: '0' });
  await waitForList(page);
  expect(await typeOf(page, '.sh-page .ht-band > h1')).toMatchObject({ size: '20px', weight: '600' });
  expect(await typeOf(page, '.sh-page .ht-table td')).toMatchObject({ size: '13px', weight: '400' });
  expect(await typeOf(page, '.sh-page .ht-filters')).toMatchObject({ size: '14px', line: '22px' });
  const amount = activePage(page).locator('.ht-table .ht-money:has(.ht-fraction)').first();
  await expect(amount).toHaveText(/^[\d,]+\.\d+…?/);
  const fraction = amount.locator('.ht-fraction');
  const colourOf = (element: Element) => getComputedStyle(element).color;
  expect(await fraction.evaluate(colourOf)).not.toBe(await amount.evaluate(colourOf));
  expect(await oddWeights(page)).toEqual([]);

  await rows(page).first().getByRole('button', { name: '详情' }).click();
  expect(await typeOf(page, '.ht-page-drawer .ht-amount-large')).toMatchObject({ size: '32px', weight: '600' });
  expect(await typeOf(page, '.ht-page-drawer h3')).toMatchObject({ size: '16px', weight: '600' });
  expect(await oddWeights(page)).toEqual([]);
});

/** The longest transition of the window in seconds. Animations of loading last longer. */
const longestTransition = (page: Page) =>
  page.evaluate(() => {
    const durations = [...document.querySelectorAll('*')].flatMap((element) =>
      getComputedStyle(element).transitionDuration.split(',').map(parseFloat),
    );
    return Math.max(...durations);
  });

test('transitions are short, and there are none for who asked for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await logIn(page, admin, '/user');
  await waitForList(page);
  expect(await longestTransition(page)).toBeGreaterThan(0);
  expect(await longestTransition(page)).toBeLessThanOrEqual(0.12);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await longestTransition(page)).toBe(0);
});

test('the menu is dark until the operator wants it on the ground of the page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await logIn(page, await newOperator(page));
  const menu = page.getByRole('navigation', { name: '主菜单' });
  const groundOf = (element: Element) => getComputedStyle(element).backgroundColor;
  const ground = await activePage(page).evaluate(groundOf);
  expect(await menu.evaluate(groundOf)).not.toBe(ground);
  await page.getByRole('button', { name: '显示设置' }).click();
  await page.getByRole('menuitem', { name: '偏好设置…' }).click();
  await page.getByText('浅色菜单', { exact: true }).click();
  await expect.poll(() => menu.evaluate(groundOf)).toBe(ground);
  await page.keyboard.press('Escape');
  await expectAccessible(page, '.sh-side');
});
