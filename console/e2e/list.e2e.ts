import { isDeepStrictEqual } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, activePage, test } from './desk.ts';
import { dialog, idsShown, query, rows, table } from './desk-list.ts';
import {
  type Answer,
  type Seat,
  type Shown,
  type Told,
  answerOf,
  answersTo,
  chip,
  choiceIn,
  columnSettings,
  headings,
  kept,
  openColumns,
  saveView,
  seatOf,
  settled,
  shownOn,
  truthOf,
  twoOperators,
  widen,
  widthOf,
  widthsKept,
  withRows,
  wordsIn,
  keyOf,
  lead,
  refreshEvery,
} from './list-seat.ts';
import { type ListPage, listPages } from './list-pages.ts';

/** The common behaviour of lists, tested on every list. The sources name the pages, so new ones are included. */
const { lists, unclear } = listPages();

/**
 * The shared table implements columns, views, silent refresh, history and rejected filters, so three lists are enough
 * to find a defect: one with sums, a tree, and sums by day. The long run tests every list.
 */
const EACH_KIND = ['/withdraw', '/agent', '/report'];

test('the call of every page with a list is identified', () => {
  expect(unclear).toEqual([]);
  const paths = lists.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining([...EACH_KIND]));
});

// Tests run in parallel workers; each worker creates its own operators.
test.describe.configure({ mode: 'parallel' });

const heard: string[] = [];
let maker: Seat;
/** The same operator in another browser. */
let elsewhere: Seat;
let below: Seat;
/** A page of the maker with a fake clock. */
let timed: Page;

test.beforeAll(async ({ browser }) => {
  const start = await browser.newPage();
  const operators = await twoOperators(start);
  await start.close();
  maker = await seatOf(browser, operators.maker, heard);
  elsewhere = await seatOf(browser, operators.maker, heard);
  below = await seatOf(browser, operators.below, heard);
  timed = await maker.context.newPage();
  await timed.clock.install();
  await timed.goto('/home');
});
test.afterAll(async () => {
  await maker.context.close();
  await elsewhere.context.close();
  await below.context.close();
});
test.afterEach(() => {
  expect(heard.splice(0)).toEqual([]);
});

for (const list of lists) {
  const { path, title, call, within } = list;
  const tag = EACH_KIND.includes(path) ? [] : ['@long'];

  test.describe(title, () => {
    // The simulator sends its history first; some lists stay empty.
    let filled = false;
    test.beforeAll(async () => {
      for (let tries = 0; tries < 20 && !filled; tries += 1) {
        filled = (await truthOf(maker, call.path, within)).total > 0;
        if (!filled) await new Promise((resolve) => setTimeout(resolve, 500));
      }
    });
    const reread = (page: Page) => (filled ? withRows(page) : settled(page));

    /** Query parameters with a filter and a closed time range, so that new rows do not match. */
    const askedFor = async (): Promise<Record<string, string>> => {
      const { list: some } = await truthOf(maker, call.path, { ...within, size: 50 });
      const choice = choiceIn(list, some);
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
      const wanted = await askedFor();
      const told = answersTo(page, list);
      await lead(page, path, wanted);
      await expectAnswered(page, list, told, { ...wanted, ...within });
      told.stop();
    });

    test('the back button undoes sorting and reset', { tag }, async () => {
      const { page } = maker;
      const wanted = await askedFor();
      await lead(page, path, wanted);
      await settled(page);
      await table(page)
        .getByRole('columnheader')
        .filter({ has: page.locator('.ant-table-column-sorters') })
        .first()
        .click();
      await expect.poll(() => query(page).get('sort')).not.toBe('id');
      await page.goBack();
      await expect.poll(() => query(page).get('sort')).toBe('id');
      await settled(page);
      await activePage(page).getByRole('button', { name: '重置' }).click();
      await expect.poll(() => Object.fromEntries(query(page))).toEqual({ sort: 'id', size: '20' });
      await page.goBack();
      await expect.poll(() => Object.fromEntries(query(page))).toEqual(wanted);
    });

    test('column settings follow the operator to another browser, and a URL shows the same rows', { tag }, async () => {
      const { page } = maker;
      const wanted = await askedFor();
      await lead(page, path, wanted);
      await settled(page);
      const before = await headings(page);
      await openColumns(page);
      const settings = columnSettings(page);
      const free = settings.locator('li').filter({ has: page.locator('input:checked:not(:disabled)') });
      const [hidden, moved] = [await free.nth(0).innerText(), await free.nth(2).innerText()];
      await settings.getByRole('checkbox', { name: hidden, exact: true }).uncheck();
      const up = settings.getByRole('button', { name: `上移${moved}`, exact: true });
      await up.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => headings(page)).not.toContain(hidden);
      const width = await widen(page, moved);
      const [chosen, drawn] = [await headings(page), await widthOf(page, moved)];
      expect(chosen.indexOf(moved)).toBeLessThan(before.indexOf(moved));
      const key = `list.${list.kept}.columns`;
      await expect.poll(async () => (await kept(maker))[key]).toMatchObject({ hidden: expect.anything() });
      await expect.poll(async () => Object.values(await widthsKept(maker, key))).toContain(width);

      const { page: other } = elsewhere;
      const told = answersTo(other, list);
      await other.goto(page.url());
      await expectAnswered(other, list, told, { ...wanted, ...within });
      told.stop();
      expect(Object.fromEntries(query(other))).toEqual(wanted);
      expect(await headings(other)).toEqual(chosen);
      expect(await widthOf(other, moved)).toBe(drawn);
      for (const window of [other, page]) {
        await openColumns(window);
        await columnSettings(window).getByRole('button', { name: '恢复默认' }).click();
        await expect.poll(() => headings(window)).toEqual(before);
        await window.keyboard.press('Escape');
      }
      await expect.poll(async () => (await kept(elsewhere))[key]).toBeUndefined();
      // Without this the page would keep receiving and rendering events.
      await other.goto('about:blank');
    });

    test('a view is saved, counted, reapplied and shared', { tag }, async () => {
      const { page } = maker;
      const { list: some } = await truthOf(maker, call.path, { ...within, size: 50 });
      const choice = choiceIn(list, some);
      const wanted = choice ? { [choice.field]: choice.value } : { from: '1' };
      await lead(page, path, { ...wanted, sort: 'id' });
      await settled(page);
      await saveView(page, '共享视图', true);
      await expect(chip(page, '共享视图')).toHaveAttribute('aria-pressed', 'true');
      await saveView(page, '个人视图', false);
      await expect(chip(page, '个人视图')).toHaveAttribute('aria-pressed', 'true');
      await expectCount(page, maker, list, wanted);

      await chip(page, '全部').click();
      await expect.poll(() => query(page).toString()).toBe('');
      await expect(chip(page, '全部')).toHaveAttribute('aria-pressed', 'true');
      await chip(page, '共享视图').click();
      await expect.poll(() => Object.fromEntries(query(page))).toEqual({ ...wanted, sort: 'id' });
      await settled(page);

      if (call.ability === undefined && list.page.ability === undefined && !list.page.planSet) {
        const { page: other } = below;
        await lead(other, path);
        await settled(other);
        await expect(chip(other, '个人视图')).toHaveCount(0);
        await expectCount(other, below, list, wanted);
        await expect(other.getByRole('button', { name: '视图「共享视图」的操作' })).toHaveCount(0);
        await chip(other, '共享视图').click();
        await expect.poll(() => Object.fromEntries(query(other))).toEqual({ ...wanted, sort: 'id' });
      }

      for (const name of ['共享视图', '个人视图']) {
        await page.getByRole('button', { name: `视图「${name}」的操作` }).click();
        await page.getByRole('menuitem', { name: '删除' }).click();
        await dialog(page, `删除视图「${name}」？`).getByRole('button', { name: '删除视图' }).click();
        await expect(chip(page, name)).toHaveCount(0);
      }
    });

    test('a silent refresh keeps rows, scroll, selection and an open dialog', { tag }, async () => {
      const page = timed;
      await lead(page, path, { size: '50', sort: 'id' });
      await reread(page);
      await refreshEvery(page, '5 秒');
      const shown = await idsShown(page);
      const boxes = table(page).getByRole('checkbox', { name: /^选择 \d+$/ });
      const selects = (await boxes.count()) > 0;
      if (selects) await boxes.first().check();
      const body = table(page).locator('.ant-table-body');
      await body.evaluate((element) => element.scrollTo({ top: 90, left: 60 }));
      const at = await body.evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft]);
      await activePage(page).getByRole('button', { name: '保存为视图' }).click();
      const form = dialog(page, '保存为视图');
      await form.getByLabel('名称').fill('还在输入');
      const blanked = await table(page).evaluateHandle((element, had) => {
        const seen = { blank: false };
        const look = () => {
          seen.blank ||= Boolean(
            element.querySelector('.ht-skeleton-line') || (had && !element.querySelector('[data-row-key]')),
          );
        };
        new MutationObserver(look).observe(element, { childList: true, subtree: true });
        return seen;
      }, filled);
      await Promise.all([page.waitForResponse(answerOf(list)), page.clock.fastForward(5_000)]);
      await settled(page);
      await expect(form.getByLabel('名称')).toHaveValue('还在输入');
      await expect(form.getByLabel('名称')).toBeFocused();
      await form.getByRole('button', { name: '取消' }).click();
      await expect(form).toBeHidden();
      expect(await body.evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft])).toEqual(at);
      expect((await idsShown(page)).slice(0, 3)).toEqual(shown.slice(0, 3));
      if (selects) await expect(activePage(page).getByText('已选 1 条')).toBeVisible();
      expect(await blanked.evaluate(({ blank }) => blank)).toBe(false);
      await refreshEvery(page, '关');
    });

    test('an empty list, no matches and a missing ability each show a message', async () => {
      const { page } = maker;
      const field = wordsIn(list);
      if (field) {
        await lead(page, path, { [field]: 'nobody-at-all' });
        await expect(activePage(page).getByText('没有符合条件的记录')).toBeVisible();
        await expect(activePage(page).getByText('共 0 条')).toBeVisible();
        await activePage(page).getByRole('button', { name: '清除筛选' }).click();
        await reread(page);
        expect(query(page).toString()).toBe('');
      }
      const { page: other } = below;
      if (list.page.planSet) {
        await other.goto(path);
        await other.waitForURL(/\/home$/);
        return;
      }
      await lead(other, path);
      if (call.ability !== undefined || list.page.ability !== undefined) {
        await expect(
          activePage(other)
            .getByText(/没有权限/)
            .first(),
        ).toBeVisible();
        await expect(rows(other)).toHaveCount(0);
      } else {
        await settled(other);
        const { total } = await truthOf(below, call.path, within);
        // A page with a default filter shows the message for no matches.
        const empty = activePage(other)
          .getByRole('status')
          .filter({ hasText: /暂无数据|没有符合条件的记录/ });
        await expect(empty).toHaveCount(total === 0 ? 1 : 0);
        if (total === 0) expect((await empty.locator('.ht-state-message-text').innerText()).length).toBeGreaterThan(4);
      }
    });

    const field = wordsIn(list);
    // A list of days has no text filter.
    if (field === undefined) return;
    test('a filter that the server rejects shows the reason and can be retried', { tag }, async () => {
      const { page } = maker;
      // No field accepts this control character, so the server rejects the request.
      await lead(page, path, { [field]: '\u0001' });
      const fault = activePage(page).getByRole('alert').filter({ hasText: '加载失败' });
      await expect(fault).toContainText('格式不正确');
      await expect(fault.locator('code')).toHaveText(/^[\w-]{8,}$/);
      await expect(fault.getByRole('button', { name: '复制请求编号' })).toBeVisible();
      await Promise.all([page.waitForResponse(answerOf(list)), fault.getByRole('button', { name: '重试' }).click()]);
      await expect(fault).toBeVisible();
      await activePage(page).getByRole('button', { name: '重置' }).click();
      await reread(page);
    });
  });
}

/**
 * Expects the list to show exactly one recorded response to this query: its rows, total and sums per coin. Only
 * recorded responses are compared, because the simulator continues and a new request would return other data.
 */
async function expectAnswered(page: Page, list: ListPage, told: Told, question: Record<string, string>) {
  await expect(async () => {
    const shown = await shownOn(page);
    const drawn = told.answers(question).map((answer) => drawnOf(list, answer, shown));
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.find((one) => isDeepStrictEqual(one, shown)) ?? drawn.at(-1)).toEqual(shown);
  }).toPass({ timeout: 30_000 });
}

/** The content that a list must show for a response. */
function drawnOf({ call, within, counted }: ListPage, { list, total, summary = [] }: Answer, shown: Shown): Shown {
  const { sums: fields } = call.list;
  const sums = summary.map(({ marketName, count, ...sum }) => {
    const coin = shown.sums[marketName];
    // Pages that show a subset of a list omit the sums that have no meaning there.
    const told = (fields ?? []).filter((field) => Object.keys(within).length === 0 || coin?.[field] !== undefined);
    const texts = told.map((field) => [field, (sum as Record<string, string | null>)[field] ?? '--']);
    const unit = counted.find((one) => coin?.['count']?.endsWith(` ${one}`)) ?? counted[0];
    return [marketName, { count: `${count.toLocaleString('en-US')} ${unit}`, ...Object.fromEntries(texts) }];
  });
  return {
    ids: list.map(keyOf),
    total: `共 ${total.toLocaleString('en-US')} 条`,
    strips: fields ? 1 : 0,
    sums: Object.fromEntries(sums),
  };
}

/** Expects the count on the chip of the shared view to equal the total of this operator for the same filters. */
async function expectCount(page: Page, seat: Seat, { call, within }: ListPage, wanted: object) {
  await expect(async () => {
    await activePage(page).getByRole('button', { name: '刷新', exact: true }).click();
    const { total } = await truthOf(seat, call.path, { ...within, ...wanted });
    await expect(chip(page, '共享视图').locator('b')).toHaveText(total.toLocaleString('en-US'), { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}
