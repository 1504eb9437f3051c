import type { HomeChart, HomeQueue, HomeTrading, HomeTrends } from '@hengtai/contract/desk/home/schema';
import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import type { Page } from '@playwright/test';
import { admin, api, expect, expectAccessible, logIn, newOperator, activePage, test, tokenOf } from './desk.ts';
import { waitForPendingWithdrawals } from './desk-list.ts';
import { newUser } from './desk-user.ts';
import { holdRows, navigateInApp } from './list-helpers.ts';

const CARDS = [
  '用户总数',
  '今日新增用户',
  '今日充值(USDT)',
  '今日提现(USDT)',
  '待审核提现',
  '待审核实名',
  '待审核认购',
  '待复核审批',
  '现货委托',
  '合约持仓',
  '秒合约进行中',
  '在线操作员',
];

const PANELS = [
  '30天充值与提现',
  '各币种净入金',
  '30天交易额',
  '用户交易盈亏',
  '新增用户',
  '提现审核等待时长',
  '实时动态',
];

const panel = (page: Page, title: string) => activePage(page).getByRole('region', { name: title, exact: true });

/** The data of the first response to a call, which the page renders. */
async function readResponse<Data>(page: Page, path: RegExp): Promise<Data> {
  const response = await page.waitForResponse(path);
  return ((await response.json()) as { data: Data }).data;
}

async function readChartTable(page: Page, title: string): Promise<string[][]> {
  await panel(page, title).getByRole('button', { name: '表格', exact: true }).click();
  const rows = panel(page, title).getByRole('table').locator('tbody tr');
  return rows.evaluateAll((found) =>
    found.map((row) => [...row.querySelectorAll('td')].map((cell) => (cell.textContent ?? '').replaceAll(',', ''))),
  );
}

const withSign = (amount: string): string => (amount.startsWith('-') || amount === '0' ? amount : `+${amount}`);

/** `1小时2分3.4秒` in milliseconds. */
function durationOf(text: string): number | null {
  if (text === '--') return null;
  const units: Record<string, number> = { 天: 86_400_000, 小时: 3_600_000, 分: 60_000, 秒: 1000 };
  return [...text.matchAll(/([\d.]+)(天|小时|分|秒)/g)].reduce(
    (sum, [, figure, unit]) => sum + Math.round(Number(figure) * (units[unit ?? ''] ?? 0)),
    0,
  );
}

/** Number of pixels in the canvas of a panel with exactly the colour of a CSS variable. */
const countPixels = (page: Page, title: string, token: string): Promise<number> =>
  panel(page, title)
    .locator('canvas')
    .evaluate((canvas, name) => {
      const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const source = canvas as HTMLCanvasElement;
      const copy = new OffscreenCanvas(source.width, source.height).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(source, 0, 0);
      const data = copy?.getImageData(0, 0, source.width, source.height).data ?? [];
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (channels.every((channel, index) => data[at + index] === channel)) count += 1;
      }
      return count;
    }, token);

test(
  'the cards show the figures of the server, in their order, with separators, and link to their lists',
  { tag: '@short' },
  async ({ page }) => {
    await logIn(page, admin);
    const cards = activePage(page).locator('.ht-home-card');
    await expect(cards).toHaveCount(CARDS.length);
    await expect(activePage(page).locator('.ht-home-label')).toHaveText(CARDS);
    // Users register meanwhile, and the page refreshes by itself.
    await expect(async () => {
      const state = await api(page, 'GET', 'state', {}, await tokenOf(page));
      const users = (state.data as { text: string; value: string }[])[0]?.value ?? '';
      const shown = Number(users).toLocaleString('en-US');
      await expect(cards.first().locator('.ht-home-value')).toHaveText(shown, { timeout: 1_000 });
    }).toPass({ timeout: 45_000 });
    await cards.getByRole('link', { name: /^待审核提现/ }).click();
    await page.waitForURL(/\/withdraw\?state=0(&|$)/);
  },
);

test('each card shows its change and its last days, and leads to exactly its records', async ({ page }) => {
  await logIn(page, admin);
  const token = await tokenOf(page);
  const cards = activePage(page).locator('.ht-home-card');
  await expect(cards.locator('.ht-home-spark')).toHaveCount(CARDS.length);
  await expect(cards.locator('.ht-home-change').filter({ hasText: /较昨日此时 (持平|[+-][\d,.]+)$/ })).toHaveCount(
    CARDS.length,
  );
  const { zone } = (await api(page, 'GET', 'home/trends', {}, token)).data as HomeTrends;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date());
  const href = (text: string) => cards.filter({ hasText: text }).getByRole('link').getAttribute('href');
  expect(await href('今日充值')).toBe(`/recharge?state=1&creditedDay=${day}`);
  expect(await href('今日提现')).toBe(`/withdraw?state=4&paidDay=${day}`);
  // The number of rows of each list is the figure of its card. The simulator goes on meanwhile, hence the attempts.
  for (const text of ['今日新增用户', '待审核实名', '待复核审批', '合约持仓', '在线操作员']) {
    await navigateInApp(page, '/home');
    await cards.getByRole('link', { name: new RegExp(`^${text}`) }).click();
    await expect(async () => {
      await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
      const state = (await api(page, 'GET', 'state', {}, token)).data as { text: string; value: string }[];
      const count = Number(state.find((one) => one.text === text)?.value).toLocaleString('en-US');
      await expect(activePage(page).getByText(`共 ${count} 条`).first()).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 90_000 });
  }
});

test(
  'what waits comes first, with its oldest wait, its riskiest record and a way to begin',
  { tag: '@short' },
  async ({ page }) => {
    // The first test of a run may start before the exchange has a withdrawal.
    await waitForPendingWithdrawals(page, 1);
    await logIn(page, admin);
    const list = activePage(page).getByRole('list', { name: '待办列表' });
    const review = list.getByRole('listitem').filter({ hasText: '待审核提现' });
    await expect(review).toContainText(/\d+(秒|分|小时|天)/);
    const token = await tokenOf(page);
    await expect(async () => {
      const queues = (await api(page, 'GET', 'home/queues', {}, token)).data as HomeQueue[];
      const labels = queues.map(({ key }) => countSpecs[key].label);
      await expect(list.getByRole('listitem')).toHaveCount(labels.length, { timeout: 1_000 });
      expect(await list.locator('li > a:first-child').allTextContents()).toEqual(labels);
      const { count, riskiest } = queues.find(({ key }) => key === 'withdrawReview') ?? {};
      await expect(review.locator('b')).toHaveText(String(count), { timeout: 1_000 });
      await expect(review.getByRole('link', { name: /风险最高/ })).toHaveAttribute(
        'href',
        `/withdraw?open=${riskiest?.id}`,
      );
    }).toPass({ timeout: 45_000 });
    await review.getByRole('link', { name: '开始处理待审核提现' }).click();
    await page.waitForURL(/\/withdraw\?.*queue=1&.*open=\d+/);
    await expect(page.getByRole('dialog').getByText(/审核队列 · 剩余/)).toBeVisible();
  },
);

test('the figures refresh without blanking or moving, and the live feed leads to its records', async ({ page }) => {
  await logIn(page, admin);
  const first = activePage(page).locator('.ht-home-card').first();
  await expect(first.locator('.ht-home-value')).toBeVisible();
  // The panel above the cards must be loaded, because it moves them.
  await expect(activePage(page).getByRole('heading', { name: '开始使用' })).toBeVisible();
  // The same holds for the import banner while the simulator sends its history.
  await expect(page.getByText(/^正在导入历史数据/)).toBeHidden({ timeout: 90_000 });
  const box = await first.boundingBox();
  let blankCount = 0;
  await page.exposeFunction('blanked', () => {
    blankCount += 1;
  });
  await page.evaluate(() => {
    const cards = document.querySelector('.ht-home-cards');
    if (!cards) throw new Error('no cards');
    new MutationObserver(() => {
      if (cards.querySelector('.ht-home-skeleton')) (window as unknown as { blanked: () => void }).blanked();
    }).observe(cards, { childList: true, subtree: true });
  });
  await page.waitForResponse(/\/state$/, { timeout: 20_000 });
  expect(await first.boundingBox()).toEqual(box);
  expect(blankCount).toBe(0);

  const feed = panel(page, '实时动态');
  const event = feed.getByRole('listitem').first();
  const record = event.getByRole('link').first();
  await expect(record).toBeVisible();
  await expect(event.locator('time')).toHaveText(/^\d\d:\d\d:\d\d$/);
  await record.click();
  await page.waitForURL(({ pathname, search }) => pathname !== '/home' && search !== '');
});

test('charts fit the window and switch by keyboard to tables, which show the figures of the server', async ({
  page,
}) => {
  for (const path of ['home/chart', 'home/trading']) await holdRows(page, { call: { path } });
  const [{ days, coins }, trading] = await Promise.all([
    readResponse<HomeChart>(page, /\/home\/chart$/),
    readResponse<HomeTrading>(page, /\/home\/trading$/),
    logIn(page, admin),
  ]);
  await expect(activePage(page).getByRole('region', { name: '开始使用' })).toContainText('已完成');
  for (const title of ['30天充值与提现', '各币种净入金']) {
    const { y = 0, height = 0 } = (await panel(page, title).boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(900);
  }
  const flow = panel(page, PANELS[0] ?? '');
  await expect(flow.locator('canvas')).toBeVisible();
  const box = await flow.boundingBox();
  const table = flow.getByRole('button', { name: '表格', exact: true });
  await flow.getByRole('button', { name: '图表', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(table).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(table).toHaveAttribute('aria-pressed', 'true');
  await expect(flow.getByRole('table')).toBeVisible();
  await expect(flow.locator('canvas')).toHaveCount(0);
  expect(await flow.boundingBox()).toEqual(box);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await expect(flow.locator('canvas')).toBeVisible();
  expect(await flow.boundingBox()).toEqual(box);
  const latest = days.toReversed();
  expect(latest.some(({ recharge }) => recharge.count > 0)).toBe(true);
  expect(await readChartTable(page, '30天充值与提现')).toEqual(
    latest.map(({ day, recharge, withdraw, net }) => [
      day,
      recharge.value,
      String(recharge.count),
      withdraw.value,
      String(withdraw.count),
      withSign(net),
    ]),
  );
  expect(await readChartTable(page, '各币种净入金')).toEqual(
    coins.map((coin) => [
      coin.marketName,
      coin.recharge,
      coin.withdraw,
      withSign(coin.net),
      withSign(coin.value ?? '--'),
    ]),
  );
  expect(await readChartTable(page, '新增用户')).toEqual(latest.map(({ day, users }) => [day, String(users)]));
  const reviewRows = await readChartTable(page, '提现审核等待时长');
  expect(
    reviewRows.map(([day, count, median, p90]) => [day, count, durationOf(median ?? ''), durationOf(p90 ?? '')]),
  ).toEqual(latest.map(({ day, review }) => [day, String(review.count), review.median, review.p90]));
  const tradingDays = trading.days.toReversed();
  expect(tradingDays.some(({ spot }) => spot.count > 0)).toBe(true);
  expect(await readChartTable(page, '30天交易额')).toEqual(
    tradingDays.map(({ day, ...turnover }) => [
      day,
      ...[turnover.spot, turnover.future, turnover.second, turnover.ieo].flatMap(({ value, count }) => [
        value,
        String(count),
      ]),
    ]),
  );
  const profitRows = await readChartTable(page, '用户交易盈亏');
  expect(profitRows.map(([day, future, second]) => [day, future, second])).toEqual(
    tradingDays.map(({ day, future, second }) => [day, withSign(future.result), withSign(second.result)]),
  );
  await expectAccessible(page);
});

test('an operator sees figures and events of the own users only, and messages without any', async ({ page }) => {
  const [empty, agent] = [await newOperator(page), await newOperator(page)];
  const [{ days, coins, waiting }] = await Promise.all([
    readResponse<HomeChart>(page, /\/home\/chart$/),
    logIn(page, empty),
  ]);
  expect(days.every(({ recharge, withdraw, users }) => recharge.count + withdraw.count + users === 0)).toBe(true);
  expect([coins, waiting.count]).toEqual([[], 0]);
  await expect(activePage(page).getByText('近 30 天没有到账的充值，也没有完成的提现。')).toBeVisible();
  await expect(activePage(page).getByText('近 30 天没有新用户。')).toBeVisible();
  await expect(panel(page, '实时动态').getByText('近期没有动态')).toBeVisible();
  await expect(activePage(page).locator('canvas')).toHaveCount(0);
  await expect(activePage(page).locator('.ht-home-value').first()).toHaveText('0');

  await newUser(page, agent.account);
  await newUser(page, agent.account);
  await logIn(page, agent);
  await expect(activePage(page).locator('.ht-home-value').nth(1)).toHaveText('2');
  const [day, dayBefore] = await readChartTable(page, '新增用户');
  expect([day?.[1], dayBefore?.[1]]).toEqual(['2', '0']);
  await expect(panel(page, '实时动态').locator('.ht-home-who')).toHaveCount(2);
  // The last day of the charts equals the cards.
  const token = await tokenOf(page);
  const { data } = await api(page, 'GET', 'home/chart', {}, token);
  const today = (data as HomeChart).days.at(-1);
  const cards = new Map(
    ((await api(page, 'GET', 'state', {}, token)).data as { text: string; value: string }[]).map((one) => [
      one.text,
      one.value,
    ]),
  );
  expect([today?.recharge.value, today?.withdraw.value]).toEqual([
    cards.get('今日充值(USDT)'),
    cards.get('今日提现(USDT)'),
  ]);
  expect(String(today?.users)).toBe(cards.get('今日新增用户'));
});

test('a chart is retried, redrawn in the colours of the theme, and released while hidden', async ({
  page,
  complaints,
}) => {
  await page.route('**/home/chart', (route) =>
    route.fulfill({
      status: 200,
      headers: { 'x-request-id': 'request-of-the-test' },
      json: { code: 500, msg: '系统繁忙', data: null },
    }),
  );
  await page.emulateMedia({ colorScheme: 'light' });
  await logIn(page, admin);
  const flow = panel(page, PANELS[0] ?? '');
  await expect(flow.getByText('系统繁忙')).toBeVisible();
  await expect(flow.getByText('request-of-the-test')).toBeVisible();
  await expect(activePage(page).locator('.ht-home-value').first()).toBeVisible();
  await page.unroute('**/home/chart');
  await flow.getByRole('button', { name: '重试' }).click();
  await expect(flow.locator('canvas')).toBeVisible();
  expect(complaints).toEqual([]);
  const countUpPixels = () => countPixels(page, '30天充值与提现', '--ht-up');
  const countGreenPixels = () => countPixels(page, '30天充值与提现', '--ht-green');
  await expect.poll(countUpPixels).toBeGreaterThan(100);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await expect.poll(countUpPixels).toBeGreaterThan(100);
  const before = await countGreenPixels();
  await page.getByRole('button', { name: '显示设置' }).click();
  await page.getByRole('menuitem', { name: '红涨绿跌' }).click();
  await expect.poll(countGreenPixels).toBeLessThan(before);
  await expect.poll(countUpPixels).toBeGreaterThan(100);
  await expect(panel(page, '新增用户').locator('canvas')).toBeVisible();
  await activePage(page)
    .getByRole('link', { name: /^用户总数/ })
    .click();
  await page.waitForURL(/\/user(\?|$)/);
  await expect(page.locator('canvas')).toHaveCount(0);
  await page.getByRole('tab').filter({ hasText: '首页' }).click();
  await expect(panel(page, '新增用户').locator('canvas')).toBeVisible();
});
