import { isDeepStrictEqual } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, activePage, test } from './desk.ts';
import { dialog, readRowIds, searchParamsOf, rows, table } from './desk-list.ts';
import {
  type RawListData,
  type OperatorBrowser,
  type VisibleList,
  type ResponseRecorder,
  isListResponse,
  recordResponses,
  viewChip,
  findFilterChoice,
  columnSettings,
  readHeadings,
  fetchPreferences,
  openColumnSettings,
  saveView,
  openOperatorBrowser,
  waitForList,
  readVisibleList,
  fetchListAs,
  newMakerAndChild,
  widenColumn,
  measureColumn,
  fetchColumnWidths,
  waitForListRows,
  textFilterOf,
  rowKeyOf,
  holdRows,
  navigateInApp,
  setRefreshInterval,
} from './list-helpers.ts';
import { type ListPage, listPages } from './list-pages.ts';

/** The common behaviour of lists, tested on every list. The sources name the pages, so new ones are included. */
const { lists, unresolved } = listPages();

/**
 * The shared table implements columns, views, silent refresh, history and rejected filters, so two lists are enough to
 * find a defect: one with sums and a tree. The long run tests every list.
 */
const REPRESENTATIVE_LISTS = ['/withdraw', '/agent'];

test('the call of every page with a list is identified', () => {
  expect(unresolved).toEqual([]);
  const paths = lists.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining([...REPRESENTATIVE_LISTS]));
});

// Tests run in parallel workers; each worker creates its own operators.
test.describe.configure({ mode: 'parallel' });

const complaints: string[] = [];
let maker: OperatorBrowser;
/** The same operator in another browser. */
let makerElsewhere: OperatorBrowser;
let child: OperatorBrowser;
/** A page of the maker with a fake clock. */
let fakeClockPage: Page;

test.beforeAll(async ({ browser }) => {
  const start = await browser.newPage();
  const operators = await newMakerAndChild(start);
  await start.close();
  maker = await openOperatorBrowser(browser, operators.maker, complaints);
  makerElsewhere = await openOperatorBrowser(browser, operators.maker, complaints);
  child = await openOperatorBrowser(browser, operators.child, complaints);
  fakeClockPage = await maker.context.newPage();
  await fakeClockPage.clock.install();
  await fakeClockPage.goto('/home');
});
test.afterAll(async () => {
  await maker.context.close();
  await makerElsewhere.context.close();
  await child.context.close();
});
test.afterEach(() => {
  expect(complaints.splice(0)).toEqual([]);
});

for (const list of lists) {
  const { path, title, call, fixedParams } = list;
  const tag = REPRESENTATIVE_LISTS.includes(path) ? [] : ['@long'];

  test.describe(title, () => {
    // The simulator sends its history first; some lists stay empty.
    let hasRows = false;
    test.beforeAll(async () => {
      for (let tries = 0; tries < 20 && !hasRows; tries += 1) {
        hasRows = (await fetchListAs(maker, call.path, fixedParams)).total > 0;
        if (!hasRows) await new Promise((resolve) => setTimeout(resolve, 500));
      }
    });
    const waitForReload = (page: Page) => (hasRows ? waitForListRows(page) : waitForList(page));

    /** Query parameters with a filter and a closed time range, so that new rows do not match. */
    const buildParams = async (): Promise<Record<string, string>> => {
      const { list: sampleRows } = await fetchListAs(maker, call.path, { ...fixedParams, size: 50 });
      const choice = findFilterChoice(list, sampleRows);
      return {
        from: '1',
        to: String(Date.now()),
        sort: 'id',
        size: '20',
        ...(choice && { [choice.field]: choice.value }),
      };
    };

    test('rows and totals match the query in the URL', { tag: path === '/withdraw' ? '@short' : [] }, async () => {
      const { page } = maker;
      const params = await buildParams();
      const recorder = recordResponses(page, list);
      await navigateInApp(page, path, params);
      await expectRecordedResponse(page, list, recorder, { ...params, ...fixedParams });
      recorder.stop();
    });

    test('the back button undoes sorting and reset', { tag }, async () => {
      const { page } = maker;
      const params = await buildParams();
      await navigateInApp(page, path, params);
      await waitForList(page);
      await table(page)
        .getByRole('columnheader')
        .filter({ has: page.locator('.ant-table-column-sorters') })
        .first()
        .click();
      await expect.poll(() => searchParamsOf(page).get('sort')).not.toBe('id');
      await page.goBack();
      await expect.poll(() => searchParamsOf(page).get('sort')).toBe('id');
      await waitForList(page);
      await activePage(page).getByRole('button', { name: '重置' }).click();
      await expect.poll(() => Object.fromEntries(searchParamsOf(page))).toEqual({ sort: 'id', size: '20' });
      await page.goBack();
      await expect.poll(() => Object.fromEntries(searchParamsOf(page))).toEqual(params);
    });

    test('column settings follow the operator to another browser, and a URL shows the same rows', { tag }, async () => {
      const { page } = maker;
      const params = await buildParams();
      await navigateInApp(page, path, params);
      await waitForList(page);
      const before = await readHeadings(page);
      await openColumnSettings(page);
      const settings = columnSettings(page);
      const movable = settings
        .locator('li')
        .filter({ has: page.locator('input:checked:not(:disabled)'), hasNot: page.locator('.ht-table-columns-of') });
      const [hidden, moved] = [await movable.nth(0).innerText(), await movable.nth(2).innerText()];
      await settings.getByRole('checkbox', { name: hidden, exact: true }).uncheck();
      const up = settings.getByRole('button', { name: `上移${moved}`, exact: true });
      await expect.poll(() => readHeadings(page)).not.toContain(hidden);
      const place = (await readHeadings(page)).indexOf(moved);
      await up.focus();
      // Columns within the cell of another may stand between this one and the one before it.
      await expect(async () => {
        await page.keyboard.press('Enter');
        expect((await readHeadings(page)).indexOf(moved)).toBeLessThan(place);
      }).toPass();
      await widenColumn(page, moved);
      const [reordered, drawnWidth] = [await readHeadings(page), await measureColumn(page, moved)];
      expect(reordered.indexOf(moved)).toBeLessThan(before.indexOf(moved));
      const key = `list.${list.preferenceKey}.columns`;
      await expect.poll(async () => (await fetchPreferences(maker))[key]).toMatchObject({ hidden: expect.anything() });
      await expect.poll(async () => Object.values(await fetchColumnWidths(maker, key))).toHaveLength(1);

      const { page: other } = makerElsewhere;
      const recorder = recordResponses(other, list);
      await other.goto(page.url());
      await expectRecordedResponse(other, list, recorder, { ...params, ...fixedParams });
      recorder.stop();
      expect(Object.fromEntries(searchParamsOf(other))).toEqual(params);
      expect(await readHeadings(other)).toEqual(reordered);
      expect(await measureColumn(other, moved)).toBe(drawnWidth);
      for (const window of [other, page]) {
        await openColumnSettings(window);
        await columnSettings(window).getByRole('button', { name: '恢复默认' }).click();
        await expect.poll(() => readHeadings(window)).toEqual(before);
        await window.keyboard.press('Escape');
      }
      await expect.poll(async () => (await fetchPreferences(makerElsewhere))[key]).toBeUndefined();
      // Without this the page would keep receiving and rendering events.
      await other.goto('about:blank');
    });

    test('a view is saved, counted, reapplied and shared', { tag }, async () => {
      const { page } = maker;
      const { list: sampleRows } = await fetchListAs(maker, call.path, { ...fixedParams, size: 50 });
      const choice = findFilterChoice(list, sampleRows);
      const params = choice ? { [choice.field]: choice.value } : { from: '1' };
      await navigateInApp(page, path, { ...params, sort: 'id' });
      await waitForList(page);
      await saveView(page, '共享视图', true);
      await expect(viewChip(page, '共享视图')).toHaveAttribute('aria-pressed', 'true');
      await saveView(page, '个人视图', false);
      await expect(viewChip(page, '个人视图')).toHaveAttribute('aria-pressed', 'true');
      await expectViewCount(page, maker, list, params);

      await viewChip(page, '全部').click();
      await expect.poll(() => searchParamsOf(page).toString()).toBe('');
      await expect(viewChip(page, '全部')).toHaveAttribute('aria-pressed', 'true');
      await viewChip(page, '共享视图').click();
      await expect.poll(() => Object.fromEntries(searchParamsOf(page))).toEqual({ ...params, sort: 'id' });
      await waitForList(page);

      if (call.ability === undefined && list.page.abilities === undefined && !list.page.planSet) {
        const { page: other } = child;
        await navigateInApp(other, path);
        await waitForList(other);
        await expect(viewChip(other, '个人视图')).toHaveCount(0);
        await expectViewCount(other, child, list, params);
        await expect(other.getByRole('button', { name: '视图「共享视图」的操作' })).toHaveCount(0);
        await viewChip(other, '共享视图').click();
        await expect.poll(() => Object.fromEntries(searchParamsOf(other))).toEqual({ ...params, sort: 'id' });
      }

      for (const name of ['共享视图', '个人视图']) {
        await page.getByRole('button', { name: `视图「${name}」的操作` }).click();
        await page.getByRole('menuitem', { name: '删除' }).click();
        await dialog(page, `删除视图「${name}」？`).getByRole('button', { name: '删除视图' }).click();
        await expect(viewChip(page, name)).toHaveCount(0);
      }
    });

    test('a silent refresh keeps rows, scroll, selection and an open dialog', { tag }, async () => {
      const page = fakeClockPage;
      const held = await holdRows(page, list);
      await navigateInApp(page, path, { size: '50', sort: 'id' });
      await waitForList(page);
      await setRefreshInterval(page, '5 秒');
      const shown = await readRowIds(page);
      const boxes = table(page).getByRole('checkbox', { name: /^选择 \d+$/ });
      const hasCheckboxes = (await boxes.count()) > 0;
      if (hasCheckboxes) await boxes.first().check();
      const body = table(page).locator('.ant-table-body');
      await body.evaluate((element) => element.scrollTo({ top: 90, left: 60 }));
      const scrollPosition = await body.evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft]);
      await activePage(page).getByRole('button', { name: '保存为视图' }).click();
      const form = dialog(page, '保存为视图');
      await form.getByLabel('名称').fill('还在输入');
      const blankObserver = await table(page).evaluateHandle((element, hadRows) => {
        const result = { wasBlank: false };
        const check = () => {
          result.wasBlank ||= Boolean(
            element.querySelector('.ht-page-skeleton-line') || (hadRows && !element.querySelector('[data-row-key]')),
          );
        };
        new MutationObserver(check).observe(element, { childList: true, subtree: true });
        return result;
      }, shown.length > 0);
      await Promise.all([page.waitForResponse(isListResponse(list)), page.clock.fastForward(5_000)]);
      await waitForList(page);
      await expect(form.getByLabel('名称')).toHaveValue('还在输入');
      await expect(form.getByLabel('名称')).toBeFocused();
      await form.getByRole('button', { name: '取消' }).click();
      await expect(form).toBeHidden();
      expect(await body.evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft])).toEqual(scrollPosition);
      expect((await readRowIds(page)).slice(0, 3)).toEqual(shown.slice(0, 3));
      if (hasCheckboxes) await expect(activePage(page).getByText('已选 1 条')).toBeVisible();
      expect(await blankObserver.evaluate(({ wasBlank }) => wasBlank)).toBe(false);
      await setRefreshInterval(page, '关');
      await held.release();
    });

    test('an empty list, no matches and a missing ability each show a message', { tag }, async () => {
      const { page } = maker;
      const field = textFilterOf(list);
      if (field) {
        await navigateInApp(page, path, { [field]: 'nobody-at-all' });
        await expect(activePage(page).getByText('没有符合条件的记录')).toBeVisible();
        await expect(activePage(page).getByText('共 0 条')).toBeVisible();
        await expectAccessible(page);
        await activePage(page).getByRole('button', { name: '清除筛选' }).click();
        await waitForReload(page);
        expect(searchParamsOf(page).toString()).toBe('');
      }
      const { page: other } = child;
      if (list.page.planSet) {
        await other.goto(path);
        await other.waitForURL(/\/home$/);
        return;
      }
      await navigateInApp(other, path);
      if (call.ability !== undefined || list.page.abilities !== undefined) {
        await expect(
          activePage(other)
            .getByText(/没有权限/)
            .first(),
        ).toBeVisible();
        await expect(rows(other)).toHaveCount(0);
      } else {
        await waitForList(other);
        const { total } = await fetchListAs(child, call.path, fixedParams);
        // A page with a default filter shows the message for no matches.
        const empty = activePage(other)
          .getByRole('status')
          .filter({ hasText: /暂无数据|没有符合条件的记录|没有待/ });
        await expect(empty).toHaveCount(total === 0 ? 1 : 0);
        if (total > 0) return;
        expect((await empty.locator('.ht-table-message-text').innerText()).length).toBeGreaterThan(4);
        await expectAccessible(other);
      }
    });

    const field = textFilterOf(list);
    // A list of days has no text filter.
    if (field === undefined) return;
    test('a filter that the server rejects shows the reason and can be retried', { tag }, async () => {
      const { page } = maker;
      // No field accepts this control character, so the server rejects the request.
      await navigateInApp(page, path, { [field]: '\u0001' });
      const error = activePage(page).getByRole('alert').filter({ hasText: '加载失败' });
      await expect(error).toContainText('格式不正确');
      await expect(error.locator('code')).toHaveText(/^[\w-]{8,}$/);
      await expect(error.getByRole('button', { name: '复制请求编号' })).toBeVisible();
      await Promise.all([
        page.waitForResponse(isListResponse(list)),
        error.getByRole('button', { name: '重试' }).click(),
      ]);
      await expect(error).toBeVisible();
      await activePage(page).getByRole('button', { name: '重置' }).click();
      await waitForReload(page);
    });
  });
}

/**
 * Expects the list to show exactly one recorded response to this query: its rows, total and sums per coin. Only
 * recorded responses are compared, because the simulator continues and a new request would return other data.
 */
async function expectRecordedResponse(
  page: Page,
  list: ListPage,
  recorder: ResponseRecorder,
  params: Record<string, string>,
) {
  await expect(async () => {
    const shown = await readVisibleList(page);
    const expected = recorder.responsesTo(params).map((answer) => expectedList(list, answer, shown));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.find((one) => isDeepStrictEqual(one, shown)) ?? expected.at(-1)).toEqual(shown);
  }).toPass({ timeout: 30_000 });
}

/** The content that a list must show for a response. */
function expectedList(
  { call, fixedParams, countUnits }: ListPage,
  { list, total, summary = [] }: RawListData,
  shown: VisibleList,
): VisibleList {
  const { sums: fields } = call.list;
  const sums = summary.map(({ marketName, count, ...sum }) => {
    const coin = shown.sums[marketName];
    // Pages that show a subset of a list omit the sums that have no meaning there.
    const counted = (fields ?? []).filter(
      (field) => Object.keys(fixedParams).length === 0 || coin?.[field] !== undefined,
    );
    // Sums that only some answers have, such as ins and outs.
    const others = Object.keys(sum).filter((field) => coin?.[field] !== undefined);
    const visibleSums = new Set([...counted, ...others]);
    const texts = [...visibleSums].map((field) => [field, (sum as Record<string, string | null>)[field] ?? '--']);
    const unit = countUnits.find((one) => coin?.['count']?.endsWith(` ${one}`)) ?? countUnits[0];
    return [marketName, { count: `${count.toLocaleString('en-US')} ${unit}`, ...Object.fromEntries(texts) }];
  });
  return {
    ids: list.map(rowKeyOf),
    total: `共 ${total.toLocaleString('en-US')} 条`,
    totalsBars: fields ? 1 : 0,
    sums: Object.fromEntries(sums),
  };
}

/** Expects the count on the chip of the shared view to equal the total of this operator for the same filters. */
async function expectViewCount(page: Page, browser: OperatorBrowser, { call, fixedParams }: ListPage, params: object) {
  await expect(async () => {
    await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
    const { total } = await fetchListAs(browser, call.path, { ...fixedParams, ...params });
    await expect(viewChip(page, '共享视图').locator('b')).toHaveText(total.toLocaleString('en-US'), { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}
