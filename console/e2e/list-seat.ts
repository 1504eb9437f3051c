import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Page, Response } from '@playwright/test';
import { type Operator, api, expect, listenTo, newOperator, sessionOf, activePage } from './desk.ts';
import { dialog, rows, table } from './desk-list.ts';
import type { ListPage } from './list-pages.ts';

/** A browser context with one logged-in operator and one page that is reused for all lists. */
export interface Seat {
  context: BrowserContext;
  page: Page;
  who: Operator;
  /** Token of a separate API session, because a page renews its own token and the old one expires a minute later. */
  token: string;
}

/** Opens a browser context for an operator and records its complaints. */
export async function seatOf(browser: Browser, who: Operator, complaints: string[]): Promise<Seat> {
  const context = await browser.newContext();
  await listenTo(context, complaints);
  const page = await context.newPage();
  const session = await sessionOf(page, who);
  await page.goto('/login');
  await page.evaluate((kept) => localStorage.setItem('hengtai.session', JSON.stringify(kept)), session);
  await page.goto('/home');
  return { context, page, who, token: (await sessionOf(page, who)).token };
}

/** Navigates an open page through the client-side router, without a reload. */
export async function lead(page: Page, path: string, search: Readonly<Record<string, string>> = {}) {
  const address = Object.keys(search).length > 0 ? `${path}?${new URLSearchParams(search).toString()}` : path;
  await page.evaluate((to) => {
    // The router warns about history entries without its index.
    const { idx = 0 } = (history.state ?? {}) as { idx?: number };
    const state = { idx: idx + 1, key: `led-${idx}`, usr: null };
    history.pushState(state, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state }));
  }, address);
  await expect(activePage(page)).toHaveAttribute('id', `page:${path}`);
}

/** An operator with all abilities, and one without any directly below. */
export async function twoOperators(page: Page): Promise<{ maker: Operator; below: Operator }> {
  const maker = await newOperator(page, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  return { maker, below: await newOperator(page, [], maker.account) };
}

export interface Answer {
  list: Record<string, unknown>[];
  total: number;
  summary?: { marketName: string; count: number }[];
}

/** The row key: the id; for price protection, with up to three rows per market, combined with the market type. */
export const keyOf = (row: Record<string, unknown>): number =>
  typeof row['marketType'] === 'number' ? Number(row['id']) * 4 + row['marketType'] : Number(row['id']);

/** The list as the server returns it to this operator. */
export async function truthOf({ context, token }: Seat, path: string, query: object = {}): Promise<Answer> {
  const { code, msg, data } = await api(context, 'GET', path, query, token);
  expect([path, code, msg]).toEqual([path, 200, 'ok']);
  return data as Answer;
}

/** Responses to the list call of a page from now on. */
export interface Told {
  /** Responses to requests that contain all of these parameters, in their order. */
  answers: (question: Record<string, string>) => Answer[];
  stop: () => void;
}

export function answersTo(page: Page, list: ListPage): Told {
  const all: { asked: Record<string, string>; data: Answer }[] = [];
  const isAnswer = answerOf(list);
  const hear = async (response: Response) => {
    if (!isAnswer(response)) return;
    const asked = Object.fromEntries(new URL(response.url()).searchParams);
    // The body is gone if the page navigated meanwhile.
    const { data } = (await response.json().catch(() => ({ data: null }))) as { data: Answer | null };
    if (data) all.push({ asked, data });
  };
  page.on('response', hear);
  return {
    answers: (question) =>
      all.filter(({ asked }) => isDeepStrictEqual({ ...asked, ...question }, asked)).map(({ data }) => data),
    stop: () => page.off('response', hear),
  };
}

/** The visible content of a list. */
export interface Shown {
  ids: number[];
  total: string;
  /** Number of totals bars; lists without sums have none. */
  strips: number;
  /** By coin: the count, and each sum by its field. */
  sums: Record<string, Record<string, string>>;
}

export const shownOn = (page: Page): Promise<Shown> =>
  activePage(page).evaluate((root) => {
    const all = (selector: string, within: Element = root) => [...within.querySelectorAll<HTMLElement>(selector)];
    const plain = (element: HTMLElement | undefined) => element?.innerText.trim() ?? '';
    const coins = all('[role="region"][aria-label="合计"] [data-coin]').map((coin) => {
      const sums = all('[data-sum]', coin).map((sum) => [
        sum.dataset['sum'],
        plain(all('.ht-money', sum)[0]).replaceAll(',', ''),
      ]);
      return [coin.dataset['coin'], { count: plain(all('small', coin)[0]), ...Object.fromEntries(sums) }];
    });
    return {
      ids: all('.ht-table .ant-table-row[data-row-key]').map((row) => Number(row.dataset['rowKey'])),
      total: plain(all('.ant-pagination-total-text')[0]),
      strips: all('[role="region"][aria-label="合计"]').length,
      sums: Object.fromEntries(coins) as Shown['sums'],
    };
  });

export const answerOf =
  ({ call }: ListPage) =>
  (response: Response): boolean =>
    new URL(response.url()).pathname.endsWith(`/${call.path}`);

/** Waits until the list has loaded, with or without rows. */
export async function settled(page: Page) {
  await expect(table(page)).toHaveAttribute('aria-busy', 'false', { timeout: 20_000 });
  await expect(table(page).locator('.ht-skeleton-line')).toHaveCount(0);
}

/** Waits until the list has loaded at least one row. */
export async function withRows(page: Page) {
  await settled(page);
  await expect(rows(page).first()).toBeVisible();
}

/** A filter with fixed options, with a value that occurs in a row. */
export function choiceIn({ call }: ListPage, list: Answer['list']): { field: string; value: string } | undefined {
  const plain = call.list.filters.filter(({ kind, options }) => kind === 'eq' && options);
  for (const { field, options } of plain) {
    const value = list
      .map((row) => row[field])
      .find(
        (one): one is string | number =>
          (typeof one === 'string' || typeof one === 'number') && Object.hasOwn(options ?? {}, one),
      );
    if (value !== undefined) return { field, value: String(value) };
  }
  return undefined;
}

/** A filter that accepts free text. */
export const wordsIn = ({ call }: ListPage): string | undefined =>
  call.list.filters.find(({ type, options, kind }) => type === 'text' && !options && kind !== 'has')?.field;

/** The column headings in their order, without checkboxes and the actions column. */
export async function headings(page: Page): Promise<string[]> {
  const all = await table(page).locator('thead th:not(.ant-table-cell-fix-end)').allInnerTexts();
  return all.map((text) => text.trim()).filter((text) => text !== '');
}

export const columnSettings = (page: Page) => page.getByRole('group', { name: '列设置' });
export const openColumns = (page: Page) => activePage(page).getByRole('button', { name: '列设置' }).click();
export const chip = (page: Page, name: string) =>
  activePage(page)
    .getByRole('group', { name: '视图' })
    .getByRole('button', { name: new RegExp(`^(共享 ?)?${name}`) });

/** The preferences of the operator on the server, by key. */
export async function kept({ context, token }: Seat): Promise<Record<string, unknown>> {
  const { items } = (await api(context, 'GET', 'preference/list', {}, token)).data as {
    items: { key: string; value: unknown }[];
  };
  return Object.fromEntries(items.map(({ key, value }) => [key, value]));
}

/** Sets the interval of the automatic refresh. */
export async function refreshEvery(page: Page, word: string) {
  await activePage(page)
    .getByRole('button', { name: /^自动刷新：/ })
    .click();
  await page.getByRole('menuitem', { name: word, exact: true }).click();
  await expect(activePage(page).getByRole('button', { name: `自动刷新：${word}` })).toBeVisible();
}

export async function saveView(page: Page, name: string, shared: boolean) {
  await activePage(page).getByRole('button', { name: '保存为视图' }).click();
  const form = dialog(page, '保存为视图');
  await form.getByLabel('名称').fill(name);
  if (shared) await form.getByText('共享给下级').click();
  await form.getByRole('button', { name: '保存视图' }).click();
  await expect(form).toBeHidden();
}

const cell = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true }).first();
export const widthOf = async (page: Page, name: string): Promise<number> =>
  Math.round((await cell(page, name).boundingBox())?.width ?? 0);

/** Drags the right edge of a column by 40 px; returns the requested width, which a narrow table may stretch. */
export async function widen(page: Page, name: string): Promise<number> {
  await page.keyboard.press('Escape');
  await activePage(page).getByRole('heading', { level: 1 }).click();
  const edge = cell(page, name).locator('.ht-resize');
  await edge.scrollIntoViewIfNeeded();
  const box = await edge.boundingBox();
  if (!box) throw new Error(`${name} has no edge`);
  const before = await widthOf(page, name);
  await page.mouse.move(box.x + 4, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 44, box.y + 10, { steps: 3 });
  await page.mouse.up();
  await expect.poll(() => widthOf(page, name)).toBeGreaterThan(before);
  return before + 40;
}

/** The column widths in px that the server stores under a preference key. */
export async function widthsKept(seat: Seat, key: string): Promise<Record<string, number>> {
  const columns = (await kept(seat))[key] as { width?: Record<string, number> } | undefined;
  return columns?.width ?? {};
}
