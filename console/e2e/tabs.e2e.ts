import type { Page } from '@playwright/test';
import { activePage, admin, expect, logIn, newOperator, openMenu, tab, tabs, test } from './desk.ts';

const readTitles = (page: Page) => tabs(page).allInnerTexts();

/** Counts the frames with a visible table, and those in which it is white: without skeleton, rows or message. */
async function watchTables(page: Page): Promise<() => Promise<{ all: number; white: number }>> {
  await page.evaluate(() => {
    const frames = { all: 0, white: 0 };
    const look = () => {
      const tables = [...document.querySelectorAll<HTMLElement>('.ht-table')].filter((table) => table.offsetHeight > 0);
      frames.all += tables.length;
      frames.white += tables.filter(
        (table) => !table.querySelector('.ht-page-skeleton-line, [data-row-key], .ht-table-message'),
      ).length;
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { frames });
  });
  return () => page.evaluate(() => (window as unknown as { frames: { all: number; white: number } }).frames);
}

test(
  'a background tab keeps its state and reads nothing, a refresh reads its list once, and no frame shows a white table',
  { tag: '@short' },
  async ({ page }) => {
    // No user registers below a new operator; a registration would reload the list.
    await logIn(page, await newOperator(page));
    const readFrames = await watchTables(page);
    let requestCount = 0;
    page.on('request', (request) => {
      if (request.url().includes('/user/list')) requestCount += 1;
    });
    await openMenu(page, '市场管理');
    await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
    await openMenu(page, '用户管理');
    await openMenu(page, '用户列表');
    await expect(activePage(page).getByText('暂无数据')).toBeVisible();
    const filter = activePage(page).getByLabel('账号').first();
    await filter.fill('half a word');
    await tab(page, '市场管理').click();
    await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
    requestCount = 0;
    await tab(page, '用户列表').click();
    await expect(filter).toHaveValue('half a word');
    expect(requestCount).toBe(0);

    await tab(page, '用户列表').click({ button: 'right' });
    await page.getByRole('menuitem', { name: '刷新', exact: true }).click();
    await expect(filter).toHaveValue('');
    await expect(activePage(page).getByText('暂无数据')).toBeVisible();
    expect(requestCount).toBe(1);
    const frames = await readFrames();
    expect(frames.all).toBeGreaterThan(10);
    expect(frames.white).toBe(0);

    await tab(page, '用户列表').locator('[data-close]').click();
    await page.waitForURL(/\/market(\?|$)/);
    await expect(page.locator('[id="page:/user"]')).toHaveCount(0);
    await page.goBack();
    await page.waitForURL(/\/user(\?|$)/);
    await expect(filter).toHaveValue('');
  },
);

test('a path parameter opens its own tab with the name of its record, which a reload keeps', async ({ page }) => {
  await logIn(page, admin, '/market/update/2');
  await expect(tabs(page).last()).toHaveText(/^编辑市场 [A-Z]+$/);
  await page.goto('/market/update/3?step=2');
  const names = ['首页', /^编辑市场 [A-Z]+$/, /^编辑市场 [A-Z]+$/];
  await expect(tabs(page)).toHaveText(names);
  await page.goto('/market/update/3?step=3');
  // The page of the first tab is not mounted after the reload; its name was kept.
  await expect(tabs(page)).toHaveText(names);
  await expect(page.locator('.ht-app-page')).toHaveCount(1);
});

/** Fourteen tabs. */
const MANY =
  `home agent user auth recharge withdraw fund/record internalTransfer market trade/order future/wait future/open
  future/open_history future/close_history`.split(/\s+/);

test('more tabs than fit fade out, a menu lists all, and the active one is in sight', async ({ page }) => {
  const operator = await newOperator(page);
  await page.addInitScript(([key, saved]) => window.origin === 'null' || sessionStorage.setItem(key, saved), [
    `hengtai.tabs.${operator.account}`,
    JSON.stringify(MANY.map((path) => ({ key: `/${path}`, search: '', pinned: false }))),
  ] as const);
  await logIn(page, operator, '/future/close_history');
  const strip = page.getByRole('tablist', { name: '已打开的页面' });
  await expect(strip).toHaveAttribute('data-more', 'left');
  await expect(tabs(page).last()).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: '全部标签页，共 14 个' }).click();
  const list = page.locator('.ht-app-tab-list');
  await expect(list.getByRole('menuitem')).toHaveCount(14);
  await list.getByRole('menuitem', { name: '首页' }).click();
  await expect(strip).toHaveAttribute('data-more', 'right');
  await expect(activePage(page).getByText('用户总数')).toBeVisible();
  expect(await readTitles(page)).toHaveLength(14);
});
