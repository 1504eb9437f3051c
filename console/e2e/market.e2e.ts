import { type Page } from '@playwright/test';
import { admin, expect, logIn, newOperator, openMenu, activePage, test } from './desk.ts';
import { callAs, dialog, readRowIds, waitForRows, searchParamsOf, row } from './desk-list.ts';
import { secondOperator } from './server.ts';

interface Market {
  id: number;
  marketName: string;
  price: string | null;
  change24h: string | null;
  networks: { network: string; explorer: string }[];
  withdrawFee: string;
}

async function fetchMarkets(page: Page): Promise<Market[]> {
  const { data } = await callAs(page, secondOperator, 'GET', 'market/list', { size: 200 });
  return (data as { list: Market[] }).list;
}

test(
  'the list shows the markets in their order, each with its price and 24 h change',
  { tag: '@short' },
  async ({ page }) => {
    await expect
      .poll(async () => (await fetchMarkets(page)).filter(({ price }) => price !== null).length)
      .toBeGreaterThan(3);
    await logIn(page, await newOperator(page), '/home');
    await openMenu(page, '市场管理');
    await page.waitForURL(/\/market(\?|$)/);
    let expected: Awaited<ReturnType<typeof fetchMarkets>> = [];
    // Other tests add markets meanwhile.
    await expect(async () => {
      await page.reload();
      await waitForRows(page);
      expected = await fetchMarkets(page);
      expect(await readRowIds(page)).toEqual(expected.map(({ id }) => id));
    }).toPass();
    const usdt = row(page, 1);
    await expect(usdt).toContainText('USDT');
    await expect(usdt.locator('[data-col=price]')).toHaveText('--');
    for (const { id, marketName } of expected.slice(1)) {
      await expect(row(page, id)).toContainText(`${marketName}/USDT`);
      const change = row(page, id).locator('.ht-value-change');
      const direction = await change.getAttribute('data-way');
      const sign = { up: /^▲\+<?\d/, down: /^▼(>-|-)\d/, flat: /^0%/ }[direction ?? ''];
      expect((await change.innerText()).replaceAll(/\s/g, '')).toMatch(sign ?? /never/);
    }
  },
);

test('prices update while rows and the open drawer stay in place; the drawer shows every field', async ({ page }) => {
  const eth = (await fetchMarkets(page)).find(({ marketName }) => marketName === 'ETH');
  await logIn(page, admin, '/market');
  await waitForRows(page);
  const id = eth?.id ?? 0;
  await row(page, id).getByRole('button', { name: '详情' }).click();
  await expect.poll(() => searchParamsOf(page).get('open')).toBe(String(id));
  const drawer = page.locator('.ht-dialog-drawer');
  for (const title of ['业务开关', '交易规则', '提现规则', '网络', '记录']) {
    await expect(drawer.getByRole('heading', { name: title })).toBeVisible();
  }
  await expect(drawer).toContainText('挂单费率');
  await expect(drawer).toContainText('0.1%');
  await expect(drawer).toContainText(`${eth?.withdrawFee} ETH`);
  const networks = drawer.getByRole('region', { name: '网络' });
  for (const { network, explorer } of eth?.networks ?? []) {
    await expect(networks.getByRole('row').filter({ hasText: network })).toContainText(explorer);
  }
  const before = await row(page, id).innerText();
  const ids = await readRowIds(page);
  await expect(async () => expect(await row(page, id).innerText()).not.toBe(before)).toPass({ timeout: 45_000 });
  expect(await readRowIds(page)).toEqual(ids);
  await expect(drawer).toContainText('市场 · ETH');
  await expect(page.locator('.ht-page-skeleton-line')).toHaveCount(0);
  // A market outside the filtered list opens from its URL too.
  await page.goto(`/market?marketName=btc&open=${id}`);
  await expect(drawer).toContainText('市场 · ETH');
  await page.keyboard.press('Escape');
  await expect.poll(() => searchParamsOf(page).get('open')).toBeNull();
});

const saveMarketChange = async (page: Page, marketName: string, change: object) => {
  const row = (await fetchMarkets(page)).find((one) => one.marketName === marketName);
  const {
    price: _p,
    change24h: _c,
    pricedAt: _d,
    halted: _h,
    updatedBy: _u,
    createdAt: _a,
    updatedAt: _t,
    ...settings
  } = row as never as Record<string, unknown>;
  return callAs(page, admin, 'POST', 'market/save', { ...settings, ...change });
};

test('a market is edited on its own page, and a concurrent change is never overwritten', async ({ page }) => {
  await logIn(page, admin, '/market');
  await waitForRows(page);
  const xrp = (await fetchMarkets(page)).find(({ marketName }) => marketName === 'XRP');
  await row(page, xrp?.id ?? 0)
    .getByRole('button', { name: '编辑' })
    .click();
  await page.waitForURL(/\/market\/update\/\d+$/);
  const form = activePage(page);
  await expect(form.getByRole('heading', { level: 1 })).toContainText('XRP');
  await expect(form.getByLabel('市场名称')).toBeDisabled();
  await form.getByLabel('最大提现').fill('9000');
  await form.getByRole('switch', { name: '秒合约' }).click();
  const changes = form.getByRole('region', { name: '将要修改' });
  await expect(changes).toContainText('0 → 9000');
  await expect(changes).toContainText('开 → 关');
  expect((await saveMarketChange(page, 'XRP', { sort: 44 })).code).toBe(200);
  await form.getByRole('button', { name: '保存', exact: true }).click();
  const modal = page.getByRole('dialog', { name: /保存市场 XRP/ });
  await expect(modal).toContainText('进行中的提现');
  await modal.getByRole('button', { name: '保存', exact: true }).click();
  await expect(modal.getByRole('alert')).toContainText('admin');
  await modal.getByRole('button', { name: '关闭', exact: true }).last().click();
  await form.getByRole('button', { name: '载入最新内容' }).click();
  await expect(form.getByLabel('排序')).toHaveValue('44');
  await form.getByLabel('最大提现').fill('9000');
  await form.getByRole('button', { name: '保存', exact: true }).click();
  await modal.getByRole('button', { name: '保存', exact: true }).click();
  await page.waitForURL(/\/market\?.*open=/);
  await expect(page.locator('.ht-dialog-drawer')).toContainText('9,000 XRP');
  // Saving closes the tab of the form.
  await expect(page.getByRole('tab', { name: /编辑市场/ })).toHaveCount(0);
});

test('a new market is validated before the confirmation and starts without a price', async ({ page }) => {
  await logIn(page, admin, '/market/add');
  const form = activePage(page);
  const name = `T${Date.now().toString(36).toUpperCase()}`;
  await form.getByLabel('市场名称').fill('坏名字');
  await form.getByRole('button', { name: '添加网络' }).click();
  await form.getByRole('button', { name: '新增', exact: true }).click();
  await expect(form.getByText('1–32 位字母、数字或 . _ -')).toBeVisible();
  await expect(form.getByText('请输入名称')).toBeVisible();
  await form.getByLabel('市场名称').fill(name);
  await form.getByRole('group', { name: '网络 1' }).getByLabel('名称').fill('TRC20');
  await form.getByRole('button', { name: '新增', exact: true }).click();
  await page
    .getByRole('dialog', { name: `新增市场 ${name}` })
    .getByRole('button', { name: '新增', exact: true })
    .click();
  const drawer = page.locator('.ht-dialog-drawer');
  await expect(drawer).toContainText(`市场 · ${name}`);
  await expect(drawer).toContainText('还没有行情');
});

test('the chart site opens from the menu once its URL is set', async ({ page, context }) => {
  const { data } = await callAs(page, admin, 'GET', 'config/list', {});
  const setting = (data as { id: number; key: string }[]).find(({ key }) => key === 'kline.url');
  const saveUrl = (str: string) => callAs(page, admin, 'POST', 'config/save', { id: setting?.id, str });
  expect((await saveUrl('javascript:alert(1)')).code).toBe(422);
  await logIn(page, admin, '/home');
  await openMenu(page, '行情管理');
  // Without an address the entry leads to its setting.
  await page.getByRole('menuitem', { name: /预设K线.*去设置/ }).click();
  await expect(dialog(page, '编辑设置：行情图网站地址')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/config$/);
  await page.goto('/home');
  expect((await saveUrl('http://127.0.0.1:9/chart')).code).toBe(200);
  try {
    await page.reload();
    await openMenu(page, '行情管理');
    const link = page.getByRole('menuitem', { name: /预设K线/ }).getByRole('link', { includeHidden: true });
    await expect(link).toHaveAttribute('href', 'http://127.0.0.1:9/chart');
    await expect(link).toHaveAttribute('rel', /noopener/);
    const [popup] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await popup.close();
    await expect(activePage(page).getByRole('heading', { level: 1, name: '首页' })).toBeVisible();
  } finally {
    await saveUrl('');
  }
});
