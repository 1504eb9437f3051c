import { randomUUID } from 'node:crypto';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { sum } from '../src/ui/value/decimal.ts';
import { admin, expect, logIn, activePage, newOperator, test } from './desk.ts';
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

test('the address keeps filters, dates and the page; reset clears them', async ({ page }) => {
  await logIn(page, admin, '/withdraw?state=77&account=zzz&page=2&sort=password&other=1');
  const account = activePage(page).getByRole('textbox', { name: '账号', exact: true });
  await expect(
    activePage(page).getByText('没有符合条件的记录').or(activePage(page).getByText('本页没有记录')),
  ).toBeVisible();
  await activePage(page).getByRole('button', { name: '重置' }).click();
  await waitForRows(page);
  expect(searchParamsOf(page).toString()).toBe('other=1');
  await expect(account).toHaveValue('');
  // The page size is in the address, so that a link shows the same rows.
  expect(new URL(page.url()).searchParams.get('size')).toBe('10');
  await expect(rows(page)).toHaveCount(10);

  await account.fill('1*');
  // Enter that ends an IME composition does not query.
  const composing = await account.evaluate((input) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
    input.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(composing).toBe(true);
  expect(page.url()).not.toContain('account');
  await chooseFilterOption(page, '状态', '已完成');
  await account.press('Enter');
  await expect.poll(() => page.url()).toContain('account=1*&state=4');
  await waitForRows(page);
  await page.goBack();
  await expect(account).toHaveValue('');

  // A date range covers whole days in the display time zone, including the last one.
  const range = activePage(page).locator('.ht-form-range input');
  await range.first().click();
  await page.locator('.ant-picker-presets').getByText('近7天').hover();
  const calendar = page.locator('.ant-picker-dropdown:visible');
  const place = await calendar.boundingBox();
  await page.mouse.down();
  // The calendar stays where the button was pressed.
  await expect(calendar.locator('.ant-picker-panel-container')).toBeFocused();
  expect(await calendar.boundingBox()).toEqual(place);
  await page.mouse.up();
  // Until the choice is in the filter, the button would query without it.
  await expect(range.first()).not.toHaveValue('');
  await activePage(page).getByRole('button', { name: '查询' }).click();
  await expect.poll(() => searchParamsOf(page).get('from')).not.toBeNull();
  const [from, to] = [Number(searchParamsOf(page).get('from')), Number(searchParamsOf(page).get('to'))];
  const hour = 3_600_000;
  expect((from + 8 * hour) % (24 * hour)).toBe(0);
  expect(to + 1 - from).toBe(7 * 24 * hour);
  expect(to).toBeGreaterThan(Date.now() - hour);
  await activePage(page).getByRole('button', { name: '重置' }).click();
  await activePage(page).getByRole('listitem', { name: '2', exact: true }).click();
  await expect.poll(() => searchParamsOf(page).get('page')).toBe('2');
});

test('coins for which the totals have no room are counted, and the page has sums of its own', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await logIn(page, admin, '/withdraw?state=4&size=20&sort=id');
  await waitForRows(page);
  const { list, summary = [] } = await fetchList(page, 'withdraw/list', { state: 4, size: 20, sort: 'id' });
  const coin = list[0]?.marketName ?? '';
  const ofCoin = list.filter(({ marketName }) => marketName === coin) as unknown as Record<string, string>[];
  const sums = activePage(page).getByRole('group', { name: '本页合计' }).locator(`[data-coin="${coin}"]`);
  await expect(sums).toContainText(`${ofCoin.length} 笔`);
  for (const field of ['amount', 'fee', 'received']) {
    const shown = await sums.locator(`[data-sum=${field}] .ht-value-money`).textContent();
    expect(shown?.replaceAll(',', '')).toBe(sum(ofCoin.map((row) => row[field] ?? '0')));
  }
  const totals = activePage(page).getByRole('region', { name: '合计' });
  const shownCoins = () =>
    totals.locator('.ht-table-totals-coins').evaluate((strip) => {
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

test('an operator chooses columns and filters, which a reload keeps, and restores the default', async ({ page }) => {
  // An operator of its own, because each login as the admin deletes the preferences of the admin.
  await logIn(page, await newOperator(page, [ABILITY.headquarters]), '/withdraw');
  await waitForRows(page);
  const header = (name: string) => table(page).getByRole('columnheader', { name });
  const filter = (name: string) => activePage(page).getByRole('search').getByRole('textbox', { name, exact: true });
  const openSettings = async (name: string) => {
    await activePage(page).getByRole('button', { name }).click();
    return page.getByRole('group', { name });
  };
  await expect(filter('编号')).toBeVisible();
  await expect(filter('地址')).toHaveCount(0);
  const filters = await openSettings('筛选项');
  await filters.getByRole('checkbox', { name: '编号', exact: true }).uncheck();
  await filters.getByRole('checkbox', { name: '地址', exact: true }).check();
  await expect(filter('编号')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const columns = await openSettings('列设置');
  await columns.getByRole('checkbox', { name: '账号', exact: true }).uncheck();
  await columns.getByRole('checkbox', { name: '打款次数' }).check();
  for (let steps = 0; steps < 2; steps += 1) await columns.getByRole('button', { name: '上移风险' }).click();
  await expect(header('账号')).toHaveCount(0);

  await page.reload();
  await waitForRows(page);
  await expect(filter('地址')).toBeVisible();
  await expect(filter('编号')).toHaveCount(0);
  await expect(header('账号')).toHaveCount(0);
  await expect(header('打款次数')).toHaveCount(1);
  const titles = (await table(page).locator('thead th').allInnerTexts()).map((text) => text.split('\n')[0]);
  expect(titles.indexOf('风险')).toBeLessThan(titles.indexOf('数量'));
  // Without its host, the agent has a column of its own.
  expect(titles).toContain('所属代理');
  await (await openSettings('列设置')).getByRole('button', { name: '恢复默认' }).click();
  await expect(header('账号')).toHaveCount(1);
  await expect(header('打款次数')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await (await openSettings('筛选项')).getByRole('button', { name: '恢复默认' }).click();
  await expect(filter('编号')).toBeVisible();
});

test('a silent refresh announces new rows above the table', async ({ page }) => {
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

test('shortcuts move, open, select and show help, but not in a field; density changes the rows', async ({ page }) => {
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

  const height = async () => (await rows(page).first().boundingBox())?.height;
  expect(await height()).toBe(48);
  await activePage(page).getByRole('button', { name: '密度' }).click();
  await expect.poll(height).toBe(36);
  await activePage(page).getByRole('button', { name: '密度' }).click();
});

test('a list that fails to load can be retried, and works without its date picker', async ({
  page,
  context,
  complaints,
}) => {
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

  await context.setOffline(true);
  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).fill('1*');
  await activePage(page).getByRole('textbox', { name: '账号', exact: true }).press('Enter');
  await expect(activePage(page).getByText('加载失败')).toBeVisible();
  await activePage(page).getByRole('button', { name: '重试' }).click();
  await expect(activePage(page).getByText('加载失败')).toBeVisible();
  await context.setOffline(false);
  await expect(activePage(page).getByText('加载失败')).toBeHidden();
  await expect(activePage(page).getByText(/共 \d+ 条/)).toBeVisible();
  // The browser logs the missing file and the failed requests; the page did not cause them.
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
  await header.locator('.ht-table-resize').hover();
  await page.mouse.down();
  await page.mouse.move(900, 300, { steps: 4 });
  await page.mouse.up();
  await expect(expectAligned).toPass();
});
