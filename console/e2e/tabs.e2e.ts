import { type Page } from '@playwright/test';
import {
  admin,
  expect,
  logIn,
  logInWithForm,
  newOperator,
  openMenu,
  activePage,
  tab,
  tabs,
  test,
  logOut,
} from './desk.ts';

/** Opens pages through the menu, without a reload. */
async function openPages(page: Page, ...titles: string[]) {
  for (const title of titles) await openMenu(page, title);
}

const readTitles = (page: Page) => tabs(page).allInnerTexts();

async function chooseInTabMenu(page: Page, title: string, action: string) {
  await tab(page, title).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('a background tab keeps its page state and sends no requests', { tag: '@short' }, async ({ page }) => {
  // No user registers below a new operator; a registration would reload the list.
  await logIn(page, await newOperator(page), '/user');
  const filter = activePage(page).getByLabel('账号').first();
  await filter.fill('half a word');
  await openPages(page, '首页');
  await expect(activePage(page).getByText('用户总数')).toBeVisible();
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.url().includes('/user/list')) requestCount += 1;
  });
  await tab(page, '用户列表').click();
  await expect(activePage(page).getByLabel('账号').first()).toHaveValue('half a word');
  expect(requestCount).toBe(0);
});

test('refreshing a tab reads its list once and remounts the page', async ({ page }) => {
  await logIn(page, await newOperator(page), '/user?account=zz*');
  await expect(activePage(page).getByText('没有符合条件的记录')).toBeVisible();
  await activePage(page).getByLabel('账号').first().fill('half a word');
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.url().includes('/user/list')) requestCount += 1;
  });
  await chooseInTabMenu(page, '用户列表', '刷新');
  await expect(activePage(page).getByLabel('账号').first()).toHaveValue('zz*');
  await expect.poll(() => requestCount).toBe(1);
  await page.waitForTimeout(500);
  expect(requestCount).toBe(1);
});

test('closing a tab destroys its page and shows the neighbour', async ({ page }) => {
  await logIn(page, admin, '/user');
  await activePage(page).getByLabel('账号').first().fill('half a word');
  await openPages(page, '首页', '市场管理');
  await tab(page, '用户列表').click();
  await tab(page, '用户列表').locator('[data-close]').click();
  await page.waitForURL(/\/market(\?|$)/);
  expect(await readTitles(page)).toEqual(['首页', '市场管理']);
  await expect(page.locator('[id="page:/user"]')).toHaveCount(0);
  await page.goBack();
  await page.waitForURL(/\/user(\?|$)/);
  await expect(activePage(page).getByLabel('账号').first()).toHaveValue('');
});

test('the tab menu closes others, left, right and all, keeps pinned tabs, and reopens', async ({ page }) => {
  await logIn(page, admin);
  await openPages(page, '代理管理', '市场管理', '现货交易', '公告管理', '系统设置');
  await chooseInTabMenu(page, '市场管理', '固定');
  expect(await readTitles(page)).toEqual(['首页', '市场管理', '代理管理', '现货交易', '公告管理', '系统设置']);
  await chooseInTabMenu(page, '现货交易', '关闭左侧');
  expect(await readTitles(page)).toEqual(['首页', '市场管理', '现货交易', '公告管理', '系统设置']);
  await chooseInTabMenu(page, '公告管理', '关闭右侧');
  expect(await readTitles(page)).toEqual(['首页', '市场管理', '现货交易', '公告管理']);
  await page.waitForURL(/\/announce(\?|$)/);
  await chooseInTabMenu(page, '现货交易', '关闭其他');
  expect(await readTitles(page)).toEqual(['首页', '市场管理', '现货交易']);
  await page.waitForURL(/\/trade\/order(\?|$)/);
  await chooseInTabMenu(page, '现货交易', '全部关闭');
  expect(await readTitles(page)).toEqual(['首页', '市场管理']);
  await page.waitForURL(/\/market(\?|$)/);
  await chooseInTabMenu(page, '市场管理', '重新打开关闭的标签页');
  await page.waitForURL(/\/trade\/order(\?|$)/);
  await chooseInTabMenu(page, '市场管理', '取消固定');
  await chooseInTabMenu(page, '市场管理', '全部关闭');
  await page.waitForURL(/\/home$/);
  expect(await readTitles(page)).toEqual(['首页']);
  // 首页 is always open.
  await expect(tab(page, '首页').locator('[data-close]')).toHaveCount(0);
  await tab(page, '首页').press('Delete');
  expect(await readTitles(page)).toEqual(['首页']);
});

test('a reload restores tabs with filters, order and pins, and renders only the active one', async ({ page }) => {
  await logIn(page, admin, '/user?account=zz*');
  await openPages(page, '首页', '市场管理');
  await chooseInTabMenu(page, '市场管理', '固定');
  await page.reload();
  await expect(tab(page, '市场管理')).toHaveAttribute('aria-selected', 'true');
  expect(await readTitles(page)).toEqual(['首页', '市场管理', '用户列表']);
  await expect(page.locator('.sh-page')).toHaveCount(1);
  await tab(page, '用户列表').click();
  await page.waitForURL(/\/user\?account=zz\*(&|$)/);
});

test('every tab is a link that opens the same page in a new window', async ({ page, context }) => {
  await logIn(page, admin, '/user?account=zz*');
  const href = await tab(page, '用户列表').getAttribute('href');
  expect(href).toMatch(/^\/user\?account=zz\*(&size=\d+)?$/);
  const [newPage] = await Promise.all([
    context.waitForEvent('page'),
    tab(page, '用户列表').click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(activePage(newPage).getByLabel('账号').first()).toHaveValue('zz*');
  expect(await readTitles(newPage)).toEqual(['首页', '用户列表']);
});

test('a path parameter opens its own tab with the name of its record, a query does not', async ({ page }) => {
  await logIn(page, admin, '/market/update/2');
  await expect(tabs(page).last()).toHaveText(/^编辑市场 [A-Z]+$/);
  await page.goto('/market/update/3?step=2');
  const names = ['首页', /^编辑市场 [A-Z]+$/, /^编辑市场 [A-Z]+$/];
  await expect(tabs(page)).toHaveText(names);
  await page.goto('/market/update/3?step=3');
  // The page of the first tab is not mounted after the reload; its name was kept.
  await expect(tabs(page)).toHaveText(names);
});

test('at most twelve pages stay mounted, and further tabs remain open', async ({ page }) => {
  await logIn(page, admin);
  await openPages(page, '用户管理', '用户列表', '用户认证', '资金管理', '充值记录', '提现记录', '资金记录');
  // The strip gets less room when the button that counts the tabs appears.
  for (const title of ['内部转账明细', '代理管理', '市场管理', '现货交易']) {
    await openPages(page, title);
    await expect(tab(page, title)).toBeInViewport({ ratio: 1 });
  }
  await openPages(page, '合约交易', '当前委托', '当前持仓', '委托历史', '平仓历史');
  await expect(tabs(page)).toHaveCount(14);
  await expect(page.locator('.sh-page')).toHaveCount(12);
  await expect(page.locator('[id="page:/home"]')).toHaveCount(0);
  // More tabs than fit: they fade out at the left, and a menu lists all.
  await expect(page.getByRole('tablist', { name: '已打开的页面' })).toHaveAttribute('data-more', 'left');
  await page.getByRole('button', { name: '全部标签页，共 14 个' }).click();
  const list = page.locator('.sh-tab-list');
  await expect(list.getByRole('menuitem')).toHaveCount(14);
  await list.getByRole('menuitem', { name: '首页' }).click();
  await expect(page.getByRole('tablist', { name: '已打开的页面' })).toHaveAttribute('data-more', 'right');
  await expect(activePage(page).getByText('用户总数')).toBeVisible();
  await expect(page.locator('.sh-page')).toHaveCount(12);
});

test('tabs are moved by dragging and by keyboard, and closed with Delete', async ({ page }) => {
  await logIn(page, admin);
  await openPages(page, '代理管理', '市场管理');
  await tab(page, '市场管理').dragTo(tab(page, '代理管理'), { targetPosition: { x: 5, y: 10 } });
  expect(await readTitles(page)).toEqual(['首页', '市场管理', '代理管理']);
  await tab(page, '市场管理').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, '代理管理')).toBeFocused();
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  expect(await readTitles(page)).toEqual(['首页', '代理管理', '市场管理']);
  // Nothing moves before 首页.
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  expect(await readTitles(page)).toEqual(['首页', '代理管理', '市场管理']);
  await page.keyboard.press('Delete');
  expect(await readTitles(page)).toEqual(['首页', '市场管理']);
});

test('no frame shows a table without skeleton or rows, on first open, tab switch and refresh', async ({ page }) => {
  await logIn(page, admin);
  await page.evaluate(() => {
    const frames = { all: 0, white: 0 };
    const look = () => {
      const tables = [...document.querySelectorAll<HTMLElement>('.ht-table')].filter((table) => table.offsetHeight > 0);
      frames.all += tables.length;
      frames.white += tables.filter(
        (table) => !table.querySelector('.ht-skeleton-line, [data-row-key], .ht-state-message'),
      ).length;
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { frames });
  });
  await openPages(page, '市场管理');
  await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
  await openPages(page, '用户管理', '用户列表');
  await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
  await tab(page, '市场管理').click();
  await tab(page, '用户列表').click();
  await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
  await chooseInTabMenu(page, '用户列表', '刷新');
  await expect(activePage(page).locator('[data-row-key]').first()).toBeVisible();
  const frames = await page.evaluate(() => (window as unknown as { frames: { all: number; white: number } }).frames);
  expect(frames.all).toBeGreaterThan(10);
  expect(frames.white).toBe(0);
});

test('the next login restores the tabs of the same operator only', async ({ page }) => {
  const first = await newOperator(page);
  await logInWithForm(page, first);
  await openPages(page, '代理管理', '市场管理');
  await logOut(page);
  await logInWithForm(page, await newOperator(page));
  expect(await readTitles(page)).toEqual(['首页']);
  await logOut(page);
  await logInWithForm(page, first);
  await expect(tabs(page)).toHaveText(['首页', '代理管理', '市场管理']);
});
