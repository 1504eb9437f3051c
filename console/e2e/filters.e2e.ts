import { readFileSync } from 'node:fs';
import { filtersOf } from '@hengtai/contract/wire/list';
import type { Page } from '@playwright/test';
import { parseCsv } from '../../server/test/csv.ts';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { chooseFilterOption, fetchList, readRowIds, searchParamsOf, waitForRows } from './desk-list.ts';
import { navigateInApp } from './list-helpers.ts';
import { type ListPage, listPages } from './list-pages.ts';

const filterBar = (page: Page) => activePage(page).getByRole('search');
const chosenStates = (page: Page) => filterBar(page).locator('.ht-form-several .ant-select-selection-item');
const paramsOf = (page: Page) => Object.fromEntries(searchParamsOf(page));

/** Two final states in a closed time range, so that only rows decided meanwhile are added. */
const TIMES = { from: '1', to: String(Date.now() - 3_600_000) };

/** Compares rows and total with the server; retried, because withdrawals are decided meanwhile. */
async function expectRows(page: Page, filters: Record<string, string>) {
  await expect(async () => {
    await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
    await waitForRows(page);
    const { list, total } = await fetchList(page, 'withdraw/list', filters);
    expect(await readRowIds(page)).toEqual(list.map(({ id }) => id));
    await expect(activePage(page).getByText(`共 ${total} 条`)).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test('several states and a range of amounts limit rows, totals and the export', { tag: '@short' }, async ({ page }) => {
  await logIn(page, admin, `/withdraw?${new URLSearchParams(TIMES).toString()}`);
  await waitForRows(page);
  const bar = filterBar(page);
  // One state is written as before.
  await chooseFilterOption(page, '状态', '已驳回');
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: '查询' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ state: '5', ...TIMES });

  // The second one is chosen with the keyboard.
  await bar.getByRole('combobox', { name: '状态' }).focus();
  await page.keyboard.press('ArrowDown');
  const option = page.locator('.ant-select-dropdown:visible .ant-select-item-option-active');
  await expect(option).toBeVisible();
  while ((await option.innerText()) !== '已完成') await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(chosenStates(page)).toHaveText(['已完成', '已驳回']);

  await bar.getByRole('button', { name: '展开' }).click();
  await bar.getByLabel('最小数量').fill('1,000');
  await bar.getByLabel('最大数量').fill('50');
  await bar.getByLabel('最大数量').press('Enter');
  await expect(bar.getByRole('alert')).toHaveText('最大数量不能小于最小数量');
  await expectAccessible(page, '.ht-form-filters');
  expect(paramsOf(page)).toEqual({ state: '5', ...TIMES });
  await bar.getByLabel('最小数量').fill('50.0');
  await expect(bar.getByRole('alert')).toBeHidden();
  await bar.getByLabel('最大数量').fill('1000');
  await bar.getByLabel('最大数量').press('Enter');
  const filters = { states: '4,5', amountFrom: '50', amountTo: '1000', ...TIMES };
  await expect.poll(() => paramsOf(page)).toEqual(filters);
  await expectRows(page, filters);
  await expectAccessible(page, '.ht-form-filters');

  await page.reload();
  await waitForRows(page);
  await expect(chosenStates(page)).toHaveText(['已完成', '已驳回']);
  await expect(filterBar(page).getByLabel('最小数量')).toHaveValue('50');
  await expect(filterBar(page).getByLabel('最大数量')).toHaveValue('1000');
  await expectRows(page, filters);
  const { list } = await fetchList(page, 'withdraw/list', { ...filters, size: 200 });
  expect(new Set(list.map(({ state }) => state))).toEqual(new Set([4, 5]));
  expect(list.filter(({ amount }) => Number(amount) < 50 || Number(amount) > 1000)).toEqual([]);

  const download = page.waitForEvent('download');
  await activePage(page).getByRole('button', { name: '导出' }).click();
  await page.getByRole('menuitem', { name: 'CSV (.csv)' }).click();
  const rows = parseCsv(readFileSync(await (await download).path(), 'utf8'));
  const { total } = await fetchList(page, 'withdraw/list', filters);
  const [head = []] = rows;
  const ids = rows.map((cells) => Number(cells[head.indexOf('编号')])).filter((id) => id > 0);
  expect(ids.slice(0, list.length)).toEqual(list.map(({ id }) => id));
  expect(ids).toHaveLength(total);
});

test('a link with one state is read, and a removed state shows all again', async ({ page }) => {
  await logIn(page, admin, '/fund/record?state=2&amountTo=-1&from=1&to=2');
  const bar = filterBar(page);
  await expect(chosenStates(page)).toHaveText(['存疑']);
  // A further filter is set, so the bar is expanded.
  await expect(bar.getByLabel('最大变动')).toHaveValue('-1');
  await bar.getByLabel('最小变动').fill('-20.50');
  await page.locator('.ht-form-several .ant-select-selection-item-remove').click();
  await bar.getByRole('button', { name: '查询' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ amountFrom: '-20.5', amountTo: '-1', from: '1', to: '2' });
  await bar.getByRole('button', { name: '重置' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({});
  await expect(bar.getByLabel('最小变动')).toHaveValue('');
});

/** Shorter choices, with the name of their filter, cannot reach the width that a filter has at most. */
const SHORT_CHOICE = 10;

/** The longest choice of each filter of a list that offers some, as an address; those that are surely short are left out. */
function longestChoices({ call }: ListPage): Record<string, string> {
  const choices = filtersOf(call.list).flatMap(({ field, label, options = {} }) => {
    const [longest] = Object.entries(options).toSorted(([, a], [, b]) => b.length - a.length);
    if (!longest || field === 'state') return [];
    const [key, text] = longest;
    return label.length + text.length > SHORT_CHOICE ? [[field, key]] : [];
  });
  return Object.fromEntries(choices);
}

test('a filter shows all words of its choice', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await logIn(page, admin);
  const long = listPages().lists.flatMap((list) => {
    const choices = longestChoices(list);
    return Object.keys(choices).length > 0 ? [{ path: list.path, choices }] : [];
  });
  expect(long.map(({ path }) => path)).toEqual(expect.arrayContaining(['/withdraw', '/audit']));
  for (const { path, choices } of long) {
    await navigateInApp(page, path, choices);
    for (const [field, key] of Object.entries(choices)) {
      const choice = filterBar(page).locator(`.ht-form-filter-choice[data-field="${field}"] .ant-select-content`);
      await expect(choice, `${path} ${field} ${key}`).toBeVisible();
      const cut = () => choice.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      await expect.poll(cut, `${path} ${field} ${key} is cut`).toBe(0);
    }
  }
});
