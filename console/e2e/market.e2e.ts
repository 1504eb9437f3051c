import { type Page } from '@playwright/test';
import { admin, expect, expectAccessible, logIn, newOperator, openMenu, sight, test } from './desk.ts';
import { elsewhere, idsShown, loaded, query, row, rows } from './desk-list.ts';
import { second } from './server.ts';

interface Market {
  id: number;
  marketName: string;
  price: string | null;
  change24h: string | null;
  networks: { network: string; explorer: string }[];
  withdrawFee: string;
}

async function markets(page: Page): Promise<Market[]> {
  const { data } = await elsewhere(page, second, 'GET', 'market/list', { size: 200 });
  return (data as { list: Market[] }).list;
}

test('the list shows the markets in their order, each with its price and how it moved', async ({ page }) => {
  await expect.poll(async () => (await markets(page)).filter(({ price }) => price !== null).length).toBeGreaterThan(3);
  await logIn(page, await newOperator(page), '/home');
  await openMenu(page, '市场管理');
  await page.waitForURL(/\/market$/);
  await loaded(page);
  const truth = await markets(page);
  expect(await idsShown(page)).toEqual(truth.map(({ id }) => id));
  const usdt = row(page, 1);
  await expect(usdt).toContainText('USDT');
  await expect(usdt.locator('td').filter({ hasText: '--' })).toHaveCount(2);
  for (const { id, marketName } of truth.slice(1)) {
    await expect(row(page, id)).toContainText(`${marketName}/USDT`);
    const change = row(page, id).locator('.ht-change');
    const way = await change.getAttribute('data-way');
    const sign = { up: /^▲\+\d/, down: /^▼-\d/, flat: /^0%/ }[way ?? ''];
    expect((await change.innerText()).replaceAll(/\s/g, '')).toMatch(sign ?? /never/);
  }
});

test('prices move by themselves, and neither rows nor scroll nor drawer move with them', async ({ page }) => {
  await logIn(page, admin, '/market?open=2');
  await loaded(page);
  const drawer = page.locator('.ht-reader');
  await expect(drawer).toContainText('市场 · BTC');
  const before = await row(page, 2).innerText();
  const ids = await idsShown(page);
  await expect(async () => expect(await row(page, 2).innerText()).not.toBe(before)).toPass({ timeout: 45_000 });
  expect(await idsShown(page)).toEqual(ids);
  await expect(drawer).toContainText('市场 · BTC');
  await expect(page.locator('.ht-bone')).toHaveCount(0);
});

test('the drawer holds every field, its address is a link, Escape closes it', async ({ page }) => {
  const eth = (await markets(page)).find(({ marketName }) => marketName === 'ETH');
  await logIn(page, admin, '/market');
  await loaded(page);
  await row(page, eth?.id ?? 0)
    .getByRole('button', { name: '详情' })
    .click();
  await expect.poll(() => query(page).get('open')).toBe(String(eth?.id));
  const drawer = page.locator('.ht-reader');
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
  // A market that the list in sight does not hold opens from its address as well.
  await page.goto(`/market?marketName=btc&open=${eth?.id}`);
  await expect(drawer).toContainText('市场 · ETH');
  await page.keyboard.press('Escape');
  await expect.poll(() => query(page).get('open')).toBeNull();
});

test('the name is found in small letters and by its beginning, the state by its word', async ({ page }) => {
  await logIn(page, admin, '/market');
  await loaded(page);
  const bar = sight(page).getByRole('search');
  await bar.getByLabel('市场').fill('xr*');
  await bar.getByLabel('市场').press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('XRP');
  await page.goto('/market?state=0');
  await expect(sight(page).getByText('暂停', { exact: true })).toHaveCount(0);
  await expect(rows(page)).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`markets keep nobody out (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await logIn(page, admin, '/market');
    await loaded(page);
    await expectAccessible(page);
    await page.goto('/market?open=6');
    await expect(page.locator('.ht-reader')).toContainText('市场 · HTT');
    await expectAccessible(page);
  });
}
