import { randomUUID } from 'node:crypto';
import { sum } from '../src/ui/decimal.ts';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import {
  chooseFilterOption,
  dialog,
  readRowIds,
  fetchList,
  waitForRows,
  searchParamsOf,
  row,
  rows,
  table,
} from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';

test('filters are kept in the URL, and a pasted URL shows the same rows', async ({ page, context }) => {
  await logIn(page, admin, '/withdraw');
  await waitForRows(page);
  const account = activePage(page).getByLabel('账号');
  await account.fill('1*');
  expect(page.url()).not.toContain('account');
  await chooseFilterOption(page, '状态', '已完成');
  await account.press('Enter');
  await expect.poll(() => page.url()).toContain('account=1*&state=4');
  await waitForRows(page);
  const other = await context.newPage();
  // Payouts continue meanwhile, so the comparison is retried until all three show the same state.
  await expect(async () => {
    await page.reload();
    await waitForRows(page);
    await other.goto(page.url());
    await waitForRows(other);
    const shown = await readRowIds(page);
    expect(shown.length).toBeGreaterThan(0);
    const serverList = await fetchList(page, 'withdraw/list', { account: '1*', state: 4 });
    expect(shown).toEqual(serverList.list.map(({ id }) => id));
    expect(await readRowIds(other)).toEqual(shown);
    await expect(activePage(page).getByText(`共 ${serverList.total} 条`)).toBeVisible();
  }).toPass();
  await expect(activePage(other).getByLabel('账号')).toHaveValue('1*');

  await page.goBack();
  await expect(account).toHaveValue('');
});

test('reset clears every filter, and invalid URL parameters are ignored', async ({ page }) => {
  await logIn(page, admin, '/withdraw?state=77&account=zzz&page=2&sort=password&other=1');
  await expect(
    activePage(page).getByText('没有符合条件的记录').or(activePage(page).getByText('本页没有记录')),
  ).toBeVisible();
  await activePage(page).getByRole('button', { name: '重置' }).click();
  await waitForRows(page);
  expect(searchParamsOf(page).toString()).toBe('other=1');
  await expect(activePage(page).getByLabel('账号')).toHaveValue('');
});

test('Enter that ends an IME composition does not query', async ({ page }) => {
  await logIn(page, admin, '/withdraw');
  await waitForRows(page);
  const account = activePage(page).getByLabel('账号');
  await account.fill('wang');
  const composing = await account.evaluate((input) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
    input.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(composing).toBe(true);
  expect(searchParamsOf(page).toString()).toBe('');
});

test('a date range covers whole days in the display time zone, including the last one', async ({ page }) => {
  await logIn(page, admin, '/withdraw');
  await waitForRows(page);
  const range = activePage(page).locator('.ht-filter-range input');
  await range.first().click();
  await page.locator('.ant-picker-presets').getByText('近7天').click();
  // Until the choice is in the filter, the button would query without it.
  await expect(range.first()).not.toHaveValue('');
  await activePage(page).getByRole('button', { name: '查询' }).click();
  await expect.poll(() => searchParamsOf(page).get('from')).not.toBeNull();
  const [from, to] = [Number(searchParamsOf(page).get('from')), Number(searchParamsOf(page).get('to'))];
  const hour = 3_600_000;
  expect((from + 8 * hour) % (24 * hour)).toBe(0);
  expect(to + 1 - from).toBe(7 * 24 * hour);
  expect(to).toBeGreaterThan(Date.now() - hour);
});

test('totals match the server, and page and sort order are in the URL', async ({ page }) => {
  await logIn(page, admin, '/withdraw?state=4');
  await waitForRows(page);
  // The number of rows that fit is in the address, so that a link shows the same rows.
  expect(new URL(page.url()).searchParams.get('size')).toBe(String(await rows(page).count()));
  const totals = activePage(page).getByRole('region', { name: '合计' });
  // Payouts continue meanwhile, hence the attempts.
  await expect(async () => {
    await page.reload();
    await waitForRows(page);
    const { summary = [] } = await fetchList(page, 'withdraw/list', { state: 4 });
    for (const sum of summary) {
      const coin = totals.locator(`[data-coin="${sum.marketName}"]`);
      await expect(coin).toContainText(`${sum.count} 笔`, { timeout: 2_000 });
      for (const field of ['amount', 'fee', 'received'] as const) {
        const text = await coin.locator(`[data-sum=${field}] .ht-money`).innerText();
        expect(text.replaceAll(',', '')).toBe(sum[field]);
      }
    }
  }).toPass();
  await table(page).getByRole('columnheader', { name: '数量' }).first().click();
  await expect.poll(() => searchParamsOf(page).get('sort')).toBe('-amount');
  await waitForRows(page);
  const sortedList = await fetchList(page, 'withdraw/list', { state: 4, sort: '-amount' });
  expect(await readRowIds(page)).toEqual(sortedList.list.map(({ id }) => id));
  await activePage(page).getByRole('listitem', { name: '2', exact: true }).click();
  await expect.poll(() => searchParamsOf(page).get('page')).toBe('2');
});

test('coins for which the totals have no room are counted, and shown on request', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await logIn(page, admin, '/withdraw?state=4');
  await waitForRows(page);
  const { summary = [] } = await fetchList(page, 'withdraw/list', { state: 4 });
  const totals = activePage(page).getByRole('region', { name: '合计' });
  const shownCoins = () =>
    totals.locator('.ht-totals-coins').evaluate((strip) => {
      const { bottom } = strip.getBoundingClientRect();
      return [...strip.querySelectorAll('[data-coin]')].filter((coin) => coin.getBoundingClientRect().top < bottom - 1)
        .length;
    });
  const more = totals.getByRole('button', { name: /^还有 \d+ 个币种$/ });
  const hidden = Number(/\d+/.exec(await more.innerText())?.[0]);
  expect((await shownCoins()) + hidden).toBe(summary.length);
  await more.click();
  await expect(totals.getByRole('button', { name: '收起' })).toBeVisible();
  expect(await shownCoins()).toBe(summary.length);
});

test('columns are hidden and moved, persist across a reload, and are reset', async ({ page }) => {
  await logIn(page, admin, '/withdraw');
  await waitForRows(page);
  const header = (name: string) => table(page).getByRole('columnheader', { name });
  const openSettings = () => activePage(page).getByRole('button', { name: '列设置' }).click();
  await openSettings();
  const settings = page.getByRole('group', { name: '列设置' });
  await settings.getByRole('checkbox', { name: '账号', exact: true }).uncheck();
  await settings.getByRole('checkbox', { name: '打款次数' }).check();
  for (let steps = 0; steps < 2; steps += 1) await settings.getByRole('button', { name: '上移风险' }).click();
  await expect(header('账号')).toHaveCount(0);
  await page.reload();
  await waitForRows(page);
  await expect(header('账号')).toHaveCount(0);
  await expect(header('打款次数')).toHaveCount(1);
  const titles = (await table(page).locator('thead th').allInnerTexts()).map((text) => text.split('\n')[0]);
  expect(titles.indexOf('风险')).toBeLessThan(titles.indexOf('数量'));
  // Without its host, the agent has a column of its own.
  expect(titles).toContain('所属代理');
  await openSettings();
  await settings.getByRole('button', { name: '恢复默认' }).click();
  await expect(header('账号')).toHaveCount(1);
  await expect(header('打款次数')).toHaveCount(0);
});

test('an operator chooses which filters are in sight and which are folded', async ({ page }) => {
  await logIn(page, admin, '/withdraw');
  await waitForRows(page);
  const filter = (name: string) => activePage(page).getByRole('search').getByRole('textbox', { name, exact: true });
  await expect(filter('编号')).toBeVisible();
  await expect(filter('地址')).toHaveCount(0);
  await activePage(page).getByRole('button', { name: '筛选项' }).click();
  const settings = page.getByRole('group', { name: '筛选项' });
  await settings.getByRole('checkbox', { name: '编号', exact: true }).uncheck();
  await settings.getByRole('checkbox', { name: '地址', exact: true }).check();
  await expect(filter('编号')).toHaveCount(0);
  await page.reload();
  await waitForRows(page);
  await expect(filter('地址')).toBeVisible();
  await expect(filter('编号')).toHaveCount(0);
  await activePage(page).getByRole('button', { name: '筛选项' }).click();
  await settings.getByRole('button', { name: '恢复默认' }).click();
  await expect(filter('编号')).toBeVisible();
});

test('the sums of the page are those of its rows, with the measures of the totals', async ({ page }) => {
  await logIn(page, admin, '/withdraw?state=4&size=20&sort=id');
  await waitForRows(page);
  const { list } = await fetchList(page, 'withdraw/list', { state: 4, size: 20, sort: 'id' });
  const coin = list[0]?.marketName ?? '';
  const ofCoin = list.filter(({ marketName }) => marketName === coin) as unknown as Record<string, string>[];
  const sums = activePage(page).getByRole('group', { name: '本页合计' }).locator(`[data-coin="${coin}"]`);
  await expect(sums).toContainText(`${ofCoin.length} 笔`);
  for (const field of ['amount', 'fee', 'received']) {
    const shown = await sums.locator(`[data-sum=${field}] .ht-money`).textContent();
    expect(shown?.replaceAll(',', '')).toBe(sum(ofCoin.map((row) => row[field] ?? '0')));
  }
});

test('a column is resized by dragging its edge', async ({ page }) => {
  await logIn(page, admin, '/withdraw');
  await waitForRows(page);
  const cell = table(page).getByRole('columnheader', { name: '账号' });
  const before = (await cell.boundingBox())?.width ?? 0;
  const edge = await cell.locator('.ht-resize').boundingBox();
  if (!edge) throw new Error('no edge');
  await page.mouse.move(edge.x + 4, edge.y + 10);
  await page.mouse.down();
  await page.mouse.move(edge.x + 64, edge.y + 10, { steps: 4 });
  await page.mouse.up();
  // The width is stored in whole pixels, before the table stretches its columns.
  await expect.poll(async () => Math.abs(((await cell.boundingBox())?.width ?? 0) - before - 60)).toBeLessThan(2);
  expect(searchParamsOf(page).get('sort')).toBeNull();
});

test('a silent refresh keeps rows, selection and scroll, and announces new rows', async ({ page }) => {
  await logIn(page, admin, '/withdraw?size=50');
  await waitForRows(page);
  await activePage(page)
    .getByRole('button', { name: /自动刷新/ })
    .click();
  await page.getByRole('menuitem', { name: '5 秒', exact: true }).click();
  const shown = await readRowIds(page);
  const [first, second] = shown;
  if (first === undefined || second === undefined) throw new Error('no rows');
  await row(page, first).getByRole('checkbox').check();
  await row(page, second).getByRole('checkbox').check();
  const body = table(page).locator('.ant-table-body');
  await body.evaluate((element) => element.scrollTo({ top: 300 }));
  const account = (await fetchList(page, 'withdraw/list', { id: first })).list[0]?.['account'];
  const chain = { account, market: 'USDT', network: 'TRC20', address: 'T-silent-refresh' };
  await sendEvents(
    {
      type: 'recharge.credited',
      data: { no: randomUUID(), ...chain, amount: '100', confirmations: 20, source: 1 },
    },
    { type: 'withdraw.requested', data: { no: randomUUID(), ...chain, amount: '7', fee: '0' } },
  );
  const notice = activePage(page).getByRole('button', { name: /有 .* 条新记录/ });
  await expect(notice).toBeVisible({ timeout: 60_000 });
  // It is above the table, so it covers no row.
  const [noticeBox, tableBox] = [await notice.boundingBox(), await table(page).boundingBox()];
  expect((noticeBox?.y ?? 0) + (noticeBox?.height ?? 0)).toBeLessThanOrEqual(tableBox?.y ?? 0);
  expect(await body.evaluate((element) => element.scrollTop)).toBe(300);
  await expect(activePage(page).getByText('已选 2 条')).toBeVisible();
  expect((await readRowIds(page)).slice(0, 5)).toEqual(shown.slice(0, 5));
  await notice.click();
  await expect(notice).toBeHidden();
  expect((await readRowIds(page))[0]).toBeGreaterThan(first);
  await expect(activePage(page).getByText('已选 2 条')).toBeVisible();
});

test('shortcuts move, open, select and show help, and do nothing while typing in a field', async ({ page }) => {
  await logIn(page, admin, '/withdraw?sort=id');
  await waitForRows(page);
  const [first, second] = await readRowIds(page);
  if (first === undefined || second === undefined) throw new Error('no rows');
  await page.keyboard.press('j');
  await expect(row(page, first)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(row(page, second)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('x');
  await expect(row(page, second).getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`提现 #${first}`)).toBeVisible();
  expect(searchParamsOf(page).get('open')).toBe(String(first));
  await page.keyboard.press('Escape');
  await expect(page.getByText(`提现 #${first}`)).toBeHidden();

  await page.keyboard.press('?');
  const help = dialog(page, '快捷键');
  await expect(help).toContainText('下一行');
  await page.keyboard.press('j');
  await expect(row(page, first)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).press('j');
  await expect(row(page, first)).toHaveAttribute('aria-current', 'true');
  await expect(activePage(page).getByLabel('账号')).toHaveValue('j');
});

test('density changes the height of rows', async ({ page }) => {
  await logIn(page, admin, '/user');
  await waitForRows(page);
  const height = async () => (await rows(page).first().boundingBox())?.height;
  expect(await height()).toBe(48);
  await activePage(page).getByRole('button', { name: '密度' }).click();
  await expect.poll(height).toBe(36);
  await activePage(page).getByRole('button', { name: '密度' }).click();
});

test('a list that fails to load shows an error and can be retried', async ({ page, context, complaints }) => {
  await logIn(page, admin, '/user');
  await waitForRows(page);
  await context.setOffline(true);
  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).fill('a*');
  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).press('Enter');
  await expect(activePage(page).getByText('加载失败')).toBeVisible({ timeout: 20_000 });
  await activePage(page).getByRole('button', { name: '重试' }).click();
  await expect(activePage(page).getByText('加载失败')).toBeVisible();
  await context.setOffline(false);
  await expect(activePage(page).getByText('加载失败')).toBeHidden({ timeout: 20_000 });
  await expect(activePage(page).getByText(/共 \d+ 条/)).toBeVisible();
  // The browser logs the failed requests; the page did not cause them.
  complaints.length = 0;
});

test('a list whose date picker fails to load shows a message and works without it', async ({ page, complaints }) => {
  await page.route(/\/assets\/DateRangePicker-/, (route) => route.abort());
  await logIn(page, admin, '/withdraw?state=4');
  await waitForRows(page);
  await activePage(page).getByPlaceholder('开始').hover();
  await expect(activePage(page).getByText('未能加载，刷新页面后可用')).toBeVisible();
  await activePage(page).getByRole('button', { name: '重置' }).click();
  await expect.poll(() => searchParamsOf(page).get('state')).toBe(null);
  await waitForRows(page);
  await page.unroute(/\/assets\/DateRangePicker-/);
  await page.reload();
  await waitForRows(page);
  // By keyboard the loaded picker keeps the focus; a click opens the calendar.
  await activePage(page).getByPlaceholder('结束').focus();
  const end = activePage(page).locator('.ant-picker').getByPlaceholder('结束');
  await expect(end).toBeFocused();
  await expect(page.locator('.ant-picker-dropdown:visible')).toHaveCount(0);
  await page.reload();
  await waitForRows(page);
  await activePage(page).getByPlaceholder('开始').click();
  await expect(page.getByText('近7天', { exact: true })).toBeVisible();
  // The browser logs the missing file.
  complaints.length = 0;
});

test('200 rows scroll in a virtual table', async ({ page }) => {
  await logIn(page, admin, '/user?size=200');
  await waitForRows(page);
  await expect(table(page)).toHaveAttribute('data-virtual', 'true');
  const renderedCount = await rows(page).count();
  expect(renderedCount).toBeLessThan(80);
  for (let i = 0; i < 30; i += 1) await page.keyboard.press('j');
  const current = table(page).locator('[aria-current=true]');
  await expect(current).toBeInViewport();

  // A change after scrolling must rerender the rows that stay visible.
  await page.keyboard.press('x');
  await expect(current.getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('x');
  await expect(current.getByRole('checkbox')).not.toBeChecked();
  const header = table(page).getByRole('columnheader', { name: '账号' });
  const cell = current.locator('[data-col=account]');
  const expectAligned = async () => {
    const [above, below] = [await header.boundingBox(), await cell.boundingBox()];
    expect(below?.x).toBe(above?.x);
    expect(below?.width).toBe(above?.width);
  };
  await expectAligned();
  await page.setViewportSize({ width: 2_600, height: 900 });
  await expect(expectAligned).toPass();
  await header.locator('.ht-resize').hover();
  await page.mouse.down();
  await page.mouse.move(900, 300, { steps: 4 });
  await page.mouse.up();
  await expect(expectAligned).toPass();
});

test('an empty list and a list without matches are accessible', async ({ page }) => {
  const operator = await newOperator(page);
  await logIn(page, operator, '/withdraw');
  await expect(activePage(page).getByText('暂无数据')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/user?account=nobody');
  await expect(activePage(page).getByText('没有符合条件的记录')).toBeVisible();
  await expectAccessible(page);
});
