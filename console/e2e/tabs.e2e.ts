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
  await logIn(page, admin, '/user');
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
  // No user registers below a new operator; a registration would reload the list.
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
  await page.waitForURL(/\/home$/);
  expect(await readTitles(page)).toEqual(['首页', '市场管理']);
  await expect(page.locator('[id="page:/user"]')).toHaveCount(0);
  await page.goBack();
  await page.waitForURL(/\/user(\?|$)/);
  await expect(activePage(page).getByLabel('账号').first()).toHaveValue('');
});

test('the tab menu closes others, left, right and all, keeps pinned tabs, and reopens', async ({ page }) => {
  await logIn(page, admin);
  await openPages(page, '代理管理', '市场管理', '现货交易', '公告管理');
  await chooseInTabMenu(page, '市场管理', '固定');
  expect(await readTitles(page)).toEqual(['市场管理', '首页', '代理管理', '现货交易', '公告管理']);
  await chooseInTabMenu(page, '代理管理', '关闭左侧');
  expect(await readTitles(page)).toEqual(['市场管理', '代理管理', '现货交易', '公告管理']);
  await chooseInTabMenu(page, '现货交易', '关闭右侧');
  expect(await readTitles(page)).toEqual(['市场管理', '代理管理', '现货交易']);
  await page.waitForURL(/\/trade\/order(\?|$)/);
  await chooseInTabMenu(page, '代理管理', '关闭其他');
  expect(await readTitles(page)).toEqual(['市场管理', '代理管理']);
  await chooseInTabMenu(page, '代理管理', '全部关闭');
  expect(await readTitles(page)).toEqual(['市场管理']);
  await page.waitForURL(/\/market(\?|$)/);
  await chooseInTabMenu(page, '市场管理', '重新打开关闭的标签页');
  await page.waitForURL(/\/agent(\?|$)/);
  await chooseInTabMenu(page, '市场管理', '取消固定');
  await chooseInTabMenu(page, '市场管理', '全部关闭');
  await page.waitForURL(/\/home$/);
  expect(await readTitles(page)).toEqual(['首页']);
});

test('a reload restores tabs with filters, order and pins, and renders only the active one', async ({ page }) => {
  await logIn(page, admin, '/user?account=zz*');
  await openPages(page, '首页', '市场管理');
  await chooseInTabMenu(page, '市场管理', '固定');
  await page.reload();
  await expect(tab(page, '市场管理')).toHaveAttribute('aria-selected', 'true');
  expect(await readTitles(page)).toEqual(['市场管理', '用户列表', '首页']);
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
  expect(await readTitles(newPage)).toEqual(['用户列表']);
});

test('a path parameter opens its own tab, a query does not', async ({ page }) => {
  await logIn(page, admin, '/market/update/7');
  await page.goto('/market/update/8?step=2');
  await expect(tabs(page)).toHaveText(['编辑市场 7', '编辑市场 8']);
  await page.goto('/market/update/8?step=3');
  await expect(tabs(page)).toHaveCount(2);
});

test('at most twelve pages stay mounted, and further tabs remain open', async ({ page }) => {
  await logIn(page, admin);
  for (const group of ['用户管理', '资金管理', '合约交易', '秒合约', '代币认购']) await openMenu(page, group);
  const titles = [
    '代理管理',
    '用户列表',
    '用户认证',
    '充值记录',
    '提现记录',
    '资金记录',
    '内部转账明细',
    '市场管理',
    '现货交易',
    '当前委托',
    '当前持仓',
    '委托历史',
    '平仓历史',
  ];
  await openPages(page, ...titles);
  await expect(tabs(page)).toHaveCount(titles.length + 1);
  await expect(page.locator('.sh-page')).toHaveCount(12);
  await expect(page.locator('[id="page:/home"]')).toHaveCount(0);
  await tab(page, '首页').click();
  await expect(activePage(page).getByText('用户总数')).toBeVisible();
  await expect(page.locator('.sh-page')).toHaveCount(12);
});

test('tabs are moved by dragging and by keyboard, and closed with Delete', async ({ page }) => {
  await logIn(page, admin);
  await openPages(page, '代理管理', '市场管理');
  await tab(page, '市场管理').dragTo(tab(page, '首页'), { targetPosition: { x: 5, y: 10 } });
  expect(await readTitles(page)).toEqual(['市场管理', '首页', '代理管理']);
  await tab(page, '市场管理').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, '首页')).toBeFocused();
  await page.keyboard.press('Alt+Shift+ArrowRight');
  expect(await readTitles(page)).toEqual(['市场管理', '代理管理', '首页']);
  await page.keyboard.press('Delete');
  expect(await readTitles(page)).toEqual(['市场管理', '代理管理']);
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
