import type { HomeChart, HomeQueue, HomeTrading, HomeTrends } from '@hengtai/contract/home.schema';
import { countSpecs } from '@hengtai/contract/notification';
import type { Page } from '@playwright/test';
import { admin, api, expect, expectAccessible, logIn, newOperator, activePage, test, tokenOf } from './desk.ts';
import { waitForPendingWithdrawals } from './desk-list.ts';

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

test(
  'the cards show the figures of the server, in their order, with separators',
  { tag: '@short' },
  async ({ page }) => {
    await logIn(page, admin);
    const cards = activePage(page).locator('.home-card');
    await expect(cards).toHaveCount(CARDS.length);
    await expect(activePage(page).locator('.home-label')).toHaveText(CARDS);
    // Users register meanwhile, and the page refreshes by itself.
    await expect(async () => {
      const state = await api(page, 'GET', 'state', {}, await tokenOf(page));
      const users = (state.data as { text: string; value: string }[])[0]?.value ?? '';
      const shown = Number(users).toLocaleString('en-US');
      await expect(cards.first().locator('.home-value')).toHaveText(shown, { timeout: 1_000 });
    }).toPass({ timeout: 45_000 });
  },
);

test('an operator sees only the figures of their own subtree', async ({ page }) => {
  await logIn(page, await newOperator(page));
  await expect(activePage(page).locator('.home-card').first().locator('.home-value')).toHaveText('0');
});

test('a card links to its filtered list', { tag: '@short' }, async ({ page }) => {
  await logIn(page, admin);
  await activePage(page)
    .locator('.home-card')
    .getByRole('link', { name: /^待审核提现/ })
    .click();
  await page.waitForURL(/\/withdraw\?state=0(&|$)/);
});

test('each card shows its change and its last days, and leads to exactly its records', async ({ page }) => {
  await logIn(page, admin);
  const token = await tokenOf(page);
  const cards = activePage(page).locator('.home-card');
  await expect(cards.locator('.home-spark')).toHaveCount(CARDS.length);
  await expect(cards.locator('.home-change').filter({ hasText: /较昨日此时 (持平|[+-][\d,.]+)$/ })).toHaveCount(
    CARDS.length,
  );
  const { zone } = (await api(page, 'GET', 'home/trends', {}, token)).data as HomeTrends;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date());
  const href = (text: string) => cards.filter({ hasText: text }).getByRole('link').getAttribute('href');
  expect(await href('今日充值')).toBe(`/recharge?state=1&creditedDay=${day}`);
  expect(await href('今日提现')).toBe(`/withdraw?state=4&paidDay=${day}`);
  // The number of rows of each list is the figure of its card. The simulator goes on meanwhile, hence the attempts.
  for (const text of ['今日新增用户', '待审核实名', '待复核审批', '合约持仓', '在线操作员']) {
    await expect(async () => {
      await page.goto('/home');
      const card = activePage(page)
        .locator('.home-card')
        .getByRole('link', { name: new RegExp(`^${text}`) });
      const value = await card.locator('.home-value').textContent();
      await card.click();
      await expect(activePage(page).getByText(`共 ${value} 条`).first()).toBeVisible();
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

test('two charts are above the fold', async ({ page }) => {
  await logIn(page, admin);
  await expect(activePage(page).getByRole('region', { name: '开始使用' })).toContainText('已完成');
  for (const title of ['30天充值与提现', '各币种净入金']) {
    const box = await panel(page, title).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
  }
});

test('the figures refresh without blanking or moving', async ({ page }) => {
  await logIn(page, admin);
  const first = activePage(page).locator('.home-card').first();
  await expect(first.locator('.home-value')).toBeVisible();
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
    const cards = document.querySelector('.home-cards');
    if (!cards) throw new Error('no cards');
    new MutationObserver(() => {
      if (cards.querySelector('.home-bone')) (window as unknown as { blanked: () => void }).blanked();
    }).observe(cards, { childList: true, subtree: true });
  });
  await page.waitForResponse(/\/state$/, { timeout: 20_000 });
  expect(await first.boundingBox()).toEqual(box);
  expect(blankCount).toBe(0);
});

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

/**
 * The data of the response that the page rendered, so that a later change of a figure causes no difference. The page that
 * is open first ends, because it repeats the same call, and the body of its response is lost once it is left.
 */
async function readResponse<Data>(page: Page, path: RegExp, navigate: () => Promise<unknown>): Promise<Data> {
  await page.goto('about:blank');
  const [response] = await Promise.all([page.waitForResponse(path), navigate()]);
  return ((await response.json()) as { data: Data }).data;
}
const waitForChart = (page: Page, navigate: () => Promise<unknown>): Promise<HomeChart> =>
  readResponse<HomeChart>(page, /\/home\/chart$/, navigate);

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

test('the chart tables show the figures of the server to the last digit', async ({ page }) => {
  const { days, coins } = await waitForChart(page, () => logIn(page, admin));
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
});

test('the tables of turnover and user profit show the figures of the server', async ({ page }) => {
  const { days } = await readResponse<HomeTrading>(page, /\/home\/trading$/, () => logIn(page, admin));
  const latest = days.toReversed();
  expect(latest.some(({ spot }) => spot.count > 0)).toBe(true);
  expect(await readChartTable(page, '30天交易额')).toEqual(
    latest.map(({ day, ...turnover }) => [
      day,
      ...[turnover.spot, turnover.future, turnover.second, turnover.ieo].flatMap(({ value, count }) => [
        value,
        String(count),
      ]),
    ]),
  );
  const profitRows = await readChartTable(page, '用户交易盈亏');
  expect(profitRows.map(([day, future, second]) => [day, future, second])).toEqual(
    latest.map(({ day, future, second }) => [day, withSign(future.result), withSign(second.result)]),
  );
});

test('the last day of the charts equals the cards', async ({ page }) => {
  const operator = await newOperator(page);
  await logIn(page, operator);
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

test('an operator without users sees empty charts with a message and no data of other subtrees', async ({ page }) => {
  const { days, coins, waiting } = await waitForChart(page, async () => logIn(page, await newOperator(page)));
  expect(days.every(({ recharge, withdraw, users }) => recharge.count + withdraw.count + users === 0)).toBe(true);
  expect([coins, waiting.count]).toEqual([[], 0]);
  await expect(activePage(page).getByText('近 30 天没有到账的充值，也没有完成的提现。')).toBeVisible();
  await expect(activePage(page).getByText('近 30 天没有新用户。')).toBeVisible();
  await expect(panel(page, '实时动态').getByText('近期没有动态')).toBeVisible();
  await expect(activePage(page).locator('canvas')).toHaveCount(0);
});

test('two agents each see the figures of their own users only', async ({ page }) => {
  const agents = [await newOperator(page), await newOperator(page)];
  await logIn(page, admin);
  const token = await tokenOf(page);
  for (const [index, { account: agent }] of agents.entries()) {
    for (let n = 0; n <= index; n += 1) {
      const user = { account: `${agent}.u${n}`, password: 'user-password-1', agent };
      expect((await api(page, 'POST', 'user/add', user, token)).code).toBe(200);
    }
  }
  for (const [index, operator] of agents.entries()) {
    await waitForChart(page, () => logIn(page, operator));
    const expectedCount = String(index + 1);
    await expect(activePage(page).locator('.home-value').nth(1)).toHaveText(expectedCount);
    const [today, yesterday] = await readChartTable(page, '新增用户');
    expect([today?.[1], yesterday?.[1]]).toEqual([expectedCount, '0']);
    const accounts = panel(page, '实时动态').locator('.home-who');
    await expect(accounts).toHaveCount(index + 1);
    expect((await accounts.allTextContents()).every((account) => account.startsWith(operator.account))).toBe(true);
  }
});

test('chart and table are switched by keyboard without moving the layout', async ({ page }) => {
  await waitForChart(page, () => logIn(page, admin));
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
});

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

test('charts use the theme and price colours and are redrawn when these change', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await waitForChart(page, () => logIn(page, admin));
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
});

test('a hidden home page releases its canvases and redraws them when shown', async ({ page }) => {
  await waitForChart(page, () => logIn(page, admin));
  await expect(panel(page, '新增用户').locator('canvas')).toBeVisible();
  await activePage(page)
    .getByRole('link', { name: /^用户总数/ })
    .click();
  await page.waitForURL(/\/user(\?|$)/);
  await expect(page.locator('canvas')).toHaveCount(0);
  await page.getByRole('tab').filter({ hasText: '首页' }).click();
  await expect(panel(page, '新增用户').locator('canvas')).toBeVisible();
});

test('a chart that fails to load shows the error and can be retried', async ({ page, complaints }) => {
  await page.route('**/home/chart', (route) =>
    route.fulfill({
      status: 200,
      headers: { 'x-request-id': 'request-of-the-test' },
      json: { code: 500, msg: '系统繁忙', data: null },
    }),
  );
  await logIn(page, admin);
  const flow = panel(page, PANELS[0] ?? '');
  await expect(flow.getByText('系统繁忙')).toBeVisible();
  await expect(flow.getByText('request-of-the-test')).toBeVisible();
  await expect(activePage(page).locator('.home-value').first()).toBeVisible();
  await page.unroute('**/home/chart');
  await flow.getByRole('button', { name: '重试' }).click();
  await expect(flow.locator('canvas')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('the live feed shows events and links to their records', async ({ page }) => {
  await logIn(page, admin);
  const feed = panel(page, '实时动态');
  const first = feed.getByRole('listitem').first();
  const record = first.getByRole('link').first();
  await expect(record).toBeVisible();
  await expect(first.locator('time')).toHaveText(/^\d\d:\d\d:\d\d$/);
  await record.click();
  await page.waitForURL(({ pathname, search }) => pathname !== '/home' && search !== '');
});

test('home is accessible', async ({ page }) => {
  await logIn(page, admin);
  await expect(activePage(page).locator('canvas').first()).toBeVisible();
  await expectAccessible(page);
  for (const title of PANELS.slice(0, -1)) await readChartTable(page, title);
  await expectAccessible(page);
});
