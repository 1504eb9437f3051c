import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parseCsv } from '../../server/test/csv.ts';
import { dataOf, readXlsx, valuesOf } from '../../server/test/xlsx.ts';
import { admin, expect, expectAccessible, logIn, newOperator, activePage, test } from './desk.ts';
import { callAs, fetchList, waitForRows, rows, table } from './desk-list.ts';

interface ListCase {
  path: string;
  call: string;
  title: string;
  /** Columns to hide, and a column to move up. */
  hide: readonly string[];
  moveUp: string;
  /** Query parameters of the list. */
  query: string;
}

/** Columns that change with every price or login are hidden, because they could differ between screen and file. */
const LISTS: readonly ListCase[] = [
  { path: '/withdraw', call: 'withdraw/list', title: '提现记录', hide: ['风险'], moveUp: '数量', query: 'state=4' },
  {
    path: '/user',
    call: 'user/list',
    title: '用户列表',
    hide: ['估值(USDT)', '最近登录', '登录 IP'],
    moveUp: '实名',
    query: 'account=1*',
  },
];

/** Exports in the given format; returns the name and content of the downloaded file. */
async function downloadExport(page: Page, format: 'Excel (.xlsx)' | 'CSV (.csv)') {
  const download = page.waitForEvent('download');
  await activePage(page).getByRole('button', { name: '导出' }).click();
  await page.getByRole('menuitem', { name: format }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

async function setColumns(page: Page, { hide, moveUp }: ListCase) {
  await activePage(page).getByRole('button', { name: '列设置' }).click();
  const settings = page.getByRole('group', { name: '列设置' });
  await settings.getByRole('button', { name: '恢复默认' }).click();
  // Columns in a second line or in the drawer are exported as well. With a column of their own they can be compared.
  const folded = settings.locator('li').filter({ has: page.locator('.ht-table-columns-of') });
  for (let left = await folded.count(); left > 0; left -= 1) {
    const unfold = folded.first().getByRole('button', { name: /^单独成列/ });
    if ((await unfold.count()) > 0) await unfold.click();
    else await folded.first().getByRole('checkbox').check();
    await expect(folded).toHaveCount(left - 1);
  }
  for (const name of hide) await settings.getByRole('checkbox', { name, exact: true }).uncheck();
  await settings.getByRole('button', { name: `上移${moveUp}`, exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
}

const HOUR_MS = 3_600_000;

const importEnded = (page: Page) =>
  expect
    .poll(async () => (await callAs(page, admin, 'GET', 'installation/state', {})).data, { timeout: 200_000 })
    .toMatchObject({ importing: null });

const SERIAL_DAY = 25_569;
const timeOf = (serial: string): string =>
  new Date(Math.round((Number(serial) - SERIAL_DAY) * 86_400) * 1000).toISOString().slice(0, 19).replace('T', ' ');

interface VisibleTable {
  headings: string[];
  cells: string[][];
}

/** Headings and cells on screen; amounts with all digits from their `title` attribute. */
async function readVisibleTable(page: Page): Promise<VisibleTable> {
  const headings = await table(page).locator('thead th:not(.ant-table-selection-column)').allInnerTexts();
  const cells = await rows(page).evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll('td[data-col]')].map((cell) => {
        const switchState = cell.querySelector('[role=switch]')?.getAttribute('aria-checked');
        if (switchState && cell.textContent === '') return switchState === 'true' ? '开' : '关';
        const money = cell.querySelector('.ht-value-money');
        const time = cell.querySelector('time');
        if (time) return time.title.slice(0, 'yyyy-mm-dd hh:mm:ss'.length);
        const fullValue = money ?? cell.querySelector('[title]:not([role=switch])');
        return (fullValue?.getAttribute('title') ?? cell.textContent ?? '').trim();
      }),
    ),
  );
  return { headings: headings.map((head) => head.trim()).filter((head) => head !== '' && head !== '操作'), cells };
}

/** Converts the text of a cell to its form in a file: numbers without thousands separators and plus sign. */
const toFileText = (text: string): string =>
  /^[+-]?[\d,]+(\.\d+)?$/.test(text) ? text.replaceAll(',', '').replace('+', '') : text;
const blankIfUnknown = (text: string): string => (['--', '未知'].includes(text) ? '' : text);

for (const list of LISTS) {
  test(`${list.title} is exported as shown, across all pages, with its totals`, async ({ page }) => {
    // The import of the history takes minutes on a busy machine.
    test.setTimeout(400_000);
    await importEnded(page);
    // What the history ended with stays as it is; what was requested since is still being paid.
    const search = `${list.query}&from=1&to=${Date.now() - HOUR_MS}`;
    const filters = Object.fromEntries(new URLSearchParams(search));
    expect((await fetchList(page, list.call, filters)).total).toBeGreaterThan(1);
    await logIn(page, admin, `${list.path}?${search}&sort=id&size=20`);
    // Retries because the simulator may change a row in between. Each attempt sets the columns again, because a
    // parallel test that logs in as the same operator deletes the saved preferences.
    const address = page.url();
    let titles: readonly string[] = [];
    await expect(async () => {
      await page.goto(address);
      await waitForRows(page);
      await setColumns(page, list);
      const screen: VisibleTable = { headings: [], cells: [] };
      const total = (await fetchList(page, list.call, filters)).total;
      for (let pageNumber = 1; screen.cells.length < Math.min(total, 60); pageNumber += 1) {
        if (pageNumber > 1)
          await activePage(page)
            .getByRole('listitem', { name: String(pageNumber), exact: true })
            .click();
        await waitForRows(page);
        await expect(activePage(page).locator('.ant-pagination-item-active')).toHaveText(String(pageNumber));
        const { headings, cells } = await readVisibleTable(page);
        screen.headings = headings;
        screen.cells.push(...cells);
      }
      const file = await downloadExport(page, 'Excel (.xlsx)');
      expect(file.name).toMatch(new RegExp(`^${list.title}-\\d{8}-\\d{6}\\.xlsx$`));
      const sheets = readXlsx(file.bytes);
      const [head = [], ...data] = dataOf(sheets[0]);
      expect(head.map((title) => title.replace(' (Asia/Shanghai)', ''))).toEqual(screen.headings);
      for (const hidden of list.hide) expect(head.join()).not.toContain(hidden);
      expect(data).toHaveLength(total);
      const times = head.map((title) => title.endsWith('(Asia/Shanghai)'));
      const fileRows = data.map((row) => row.map((cell, i) => (times[i] && cell ? timeOf(cell) : cell)));
      // Rounded amounts and shortened hashes are compared by their `title`, which has the full value.
      expect(fileRows.slice(0, screen.cells.length)).toEqual(
        screen.cells.map((row) => row.map((cell) => blankIfUnknown(toFileText(cell)))),
      );
      const summary = (await fetchList(page, list.call, filters)).summary ?? [];
      const totalsRows = sheets[1] ? valuesOf(sheets[1]) : [];
      for (const { marketName, count } of summary) {
        const totals = activePage(page).getByRole('region', { name: '合计' }).locator(`[data-coin="${marketName}"]`);
        const onScreen = await totals.locator('.ht-value-money').allInnerTexts();
        const line = totalsRows.find(([label]) => label === marketName);
        expect(line).toEqual([marketName, String(count), ...onScreen.map(toFileText)]);
      }
      const csv = parseCsv((await downloadExport(page, 'CSV (.csv)')).bytes.toString());
      expect(csv[0]).toEqual(head);
      titles = head;
      expect(csv.slice(1).map((row) => row.map((cell) => cell.replace(/^'/, '')))).toEqual(fileRows);
    }).toPass({ timeout: 90_000 });
    await activePage(page).getByRole('button', { name: '列设置' }).click();
    await page.getByRole('group', { name: '列设置' }).getByRole('button', { name: '恢复默认' }).click();
    await page.keyboard.press('Escape');
    // By default many columns are in a second line or in the drawer, and exported all the same.
    const [byDefault] = parseCsv((await downloadExport(page, 'CSV (.csv)')).bytes.toString());
    expect(byDefault).toEqual(expect.arrayContaining([...titles]));
  });
}

test('only the own subtree is exported', async ({ page }) => {
  // The export of an agent without users contains the heading only, with the columns in second lines and in the drawer.
  await logIn(page, await newOperator(page, [10]), '/recharge');
  await expect(activePage(page).getByText('暂无数据')).toBeVisible();
  const lines = parseCsv((await downloadExport(page, 'CSV (.csv)')).bytes.toString());
  expect(lines).toHaveLength(1);
  expect(lines[0]).toEqual(expect.arrayContaining(['币种', '网络', '所属代理', '备注']));
  expect(lines[0]).not.toContain('平台单号');
});

test('a download shows its progress, can be cancelled, and reports a failure', async ({ page, complaints }) => {
  const operator = await newOperator(page, [10, 13]);
  await logIn(page, operator, '/recharge');
  await waitForRows(page);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/recharge/excel', async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  const startExport = async () => {
    await activePage(page).getByRole('button', { name: '导出' }).click();
    await page.getByRole('menuitem', { name: 'Excel (.xlsx)' }).click();
  };
  await startExport();
  await expect(activePage(page).getByText('正在导出 0 KB')).toBeVisible();
  await expectAccessible(page);
  await activePage(page)
    .getByRole('button', { name: /取\s*消/ })
    .click();
  await expect(page.getByText('已取消导出')).toBeVisible();
  await expect(activePage(page).getByRole('button', { name: '导出' })).toBeVisible();
  release();
  await page.unroute('**/recharge/excel');
  await page.goto('/recharge?sort=-amount');
  await waitForRows(page);
  await page.route('**/recharge/excel', (route) => route.abort());
  await startExport();
  await expect(page.getByText('导出中断，文件没有保存，请重试')).toBeVisible();
  await page.unroute('**/recharge/excel');
  // The browser logs the aborted request; the page did not cause it.
  complaints.length = 0;
});
