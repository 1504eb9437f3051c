import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Page, Response } from '@playwright/test';
import { type Operator, api, expect, recordComplaints, newOperator, createSession, activePage } from './desk.ts';
import { dialog, rows, table } from './desk-list.ts';
import type { ListPage } from './list-pages.ts';

/** A browser context with one logged-in operator and one page that is reused for all lists. */
export interface OperatorBrowser {
  context: BrowserContext;
  page: Page;
  operator: Operator;
  /** Token of a separate API session, because a page renews its own token and the old one expires a minute later. */
  token: string;
}

/** Opens a browser context for an operator and records its complaints. */
export async function openOperatorBrowser(
  browser: Browser,
  operator: Operator,
  complaints: string[],
): Promise<OperatorBrowser> {
  const context = await browser.newContext();
  await recordComplaints(context, complaints);
  const page = await context.newPage();
  const session = await createSession(page, operator);
  await page.goto('/login');
  await page.evaluate((session) => localStorage.setItem('hengtai.session', JSON.stringify(session)), session);
  await page.goto('/home');
  return { context, page, operator, token: (await createSession(page, operator)).token };
}

/** Navigates an open page through the client-side router, without a reload. */
export async function navigateInApp(page: Page, path: string, search: Readonly<Record<string, string>> = {}) {
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
export async function newMakerAndChild(page: Page): Promise<{ maker: Operator; child: Operator }> {
  const maker = await newOperator(page, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  return { maker, child: await newOperator(page, [], maker.account) };
}

export interface RawListData {
  list: Record<string, unknown>[];
  total: number;
  summary?: { marketName: string; count: number }[];
}

/** The row key: the id; for price protection, with up to three rows per market, combined with the market type. */
export const rowKeyOf = (row: Record<string, unknown>): number =>
  typeof row['marketType'] === 'number' ? Number(row['id']) * 4 + row['marketType'] : Number(row['id']);

/** The list as the server returns it to this operator. */
export async function fetchListAs(
  { context, token }: OperatorBrowser,
  path: string,
  query: object = {},
): Promise<RawListData> {
  const { code, msg, data } = await api(context, 'GET', path, query, token);
  expect([path, code, msg]).toEqual([path, 200, 'ok']);
  return data as RawListData;
}

/** Responses to the list call of a page from now on. */
export interface ResponseRecorder {
  /** Responses to requests that contain all of these parameters, in their order. */
  responsesTo: (params: Record<string, string>) => RawListData[];
  stop: () => void;
}

export function recordResponses(page: Page, list: ListPage): ResponseRecorder {
  const recorded: { params: Record<string, string>; data: RawListData }[] = [];
  const isResponse = isListResponse(list);
  const record = async (response: Response) => {
    if (!isResponse(response)) return;
    const params = Object.fromEntries(new URL(response.url()).searchParams);
    // The body is gone if the page navigated meanwhile.
    const { data } = (await response.json().catch(() => ({ data: null }))) as { data: RawListData | null };
    if (data) recorded.push({ params, data });
  };
  page.on('response', record);
  return {
    responsesTo: (query) =>
      recorded.filter(({ params }) => isDeepStrictEqual({ ...params, ...query }, params)).map(({ data }) => data),
    stop: () => page.off('response', record),
  };
}

/** The visible content of a list. */
export interface VisibleList {
  ids: number[];
  total: string;
  /** Number of totals bars; lists without sums have none. */
  totalsBars: number;
  /** By coin: the count, and each sum by its field. */
  sums: Record<string, Record<string, string>>;
}

export const readVisibleList = (page: Page): Promise<VisibleList> =>
  activePage(page).evaluate((root) => {
    const all = (selector: string, parent: Element = root) => [...parent.querySelectorAll<HTMLElement>(selector)];
    const textOf = (element: HTMLElement | undefined) => element?.innerText.trim() ?? '';
    // The line of all markets is the sum of the others.
    const coins = all('[role="region"][aria-label="合计"] [data-coin]:not([data-coin="全部市场"])').map((coin) => {
      const sums = all('[data-sum]', coin).map((sum) => [
        sum.dataset['sum'],
        textOf(all('.ht-value-money', sum)[0]).replaceAll(',', ''),
      ]);
      return [coin.dataset['coin'], { count: textOf(all('small', coin)[0]), ...Object.fromEntries(sums) }];
    });
    return {
      ids: all('.ht-table .ant-table-row[data-row-key]').map((row) => Number(row.dataset['rowKey'])),
      total: textOf(all('.ant-pagination-total-text')[0]),
      totalsBars: all('[role="region"][aria-label="合计"]').length,
      sums: Object.fromEntries(coins) as VisibleList['sums'],
    };
  });

export const isListResponse =
  ({ call }: ListPage) =>
  (response: Response): boolean =>
    new URL(response.url()).pathname.endsWith(`/${call.path}`);

/**
 * Answers each query of the call with its first response until released. The exchange goes on and ends what the test
 * sees, so rows of a list of open records would leave it between two reads.
 */
export async function holdRows(
  page: Page,
  { call }: { call: { path: string } },
): Promise<{ release: () => Promise<void> }> {
  const data = new Map<string, unknown>();
  const isList = ({ pathname }: URL) => pathname.endsWith(`/${call.path}`);
  await page.route(isList, async (route) => {
    const { search } = new URL(route.request().url());
    const response = await route.fetch();
    const answer = (await response.json()) as { data: unknown };
    if (!data.has(search)) data.set(search, answer.data);
    await route.fulfill({ response, json: { ...answer, data: data.get(search) } });
  });
  return { release: () => page.unroute(isList) };
}

/** Waits until the list has loaded, with or without rows. */
export async function waitForList(page: Page) {
  await expect(table(page)).toHaveAttribute('aria-busy', 'false', { timeout: 20_000 });
  await expect(table(page).locator('.ht-page-skeleton-line')).toHaveCount(0, { timeout: 20_000 });
}

/** Waits until the list has loaded at least one row. */
export async function waitForListRows(page: Page) {
  await waitForList(page);
  await expect(rows(page).first()).toBeVisible();
}

/** A filter with fixed options, with a value that occurs in a row. */
export function findFilterChoice(
  { call }: ListPage,
  list: RawListData['list'],
): { field: string; value: string } | undefined {
  const filters = call.list.filters.filter(({ kind, options }) => kind === 'eq' && options);
  for (const { field, options } of filters) {
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
export const textFilterOf = ({ call }: ListPage): string | undefined =>
  call.list.filters.find(({ type, options, kind }) => type === 'text' && !options && kind !== 'has')?.field;

/** The column headings in their order, without checkboxes and the actions column. */
export async function readHeadings(page: Page): Promise<string[]> {
  const all = await table(page).locator('thead th:not(.ant-table-cell-fix-end)').allInnerTexts();
  // The second line names the columns that are shown in the same cells.
  return all.map((text) => text.trim().split('\n')[0] ?? '').filter((text) => text !== '');
}

export const columnSettings = (page: Page) => page.getByRole('group', { name: '列设置' });
export const openColumnSettings = (page: Page) => activePage(page).getByRole('button', { name: '列设置' }).click();
export const viewChip = (page: Page, name: string) =>
  activePage(page)
    .getByRole('group', { name: '视图' })
    .getByRole('button', { name: new RegExp(`^(共享 ?)?${name}`) });

/** The preferences of the operator on the server, by key. */
export async function fetchPreferences({ context, token }: OperatorBrowser): Promise<Record<string, unknown>> {
  const { items } = (await api(context, 'GET', 'preference/list', {}, token)).data as {
    items: { key: string; value: unknown }[];
  };
  return Object.fromEntries(items.map(({ key, value }) => [key, value]));
}

/** Sets the interval of the automatic refresh. */
export async function setRefreshInterval(page: Page, label: string) {
  await activePage(page)
    .getByRole('button', { name: /^自动刷新：/ })
    .click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
  await expect(activePage(page).getByRole('button', { name: `自动刷新：${label}` })).toBeVisible();
}

export async function saveView(page: Page, name: string, shared: boolean) {
  await activePage(page).getByRole('button', { name: '保存为视图' }).click();
  const form = dialog(page, '保存为视图');
  await form.getByLabel('名称').fill(name);
  if (shared) await form.getByText('共享给下级').click();
  await form.getByRole('button', { name: '保存视图' }).click();
  await expect(form).toBeHidden();
}

const headerCell = (page: Page, name: string) =>
  table(page)
    .getByRole('columnheader')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();
export const measureColumn = async (page: Page, name: string): Promise<number> =>
  Math.round((await headerCell(page, name).boundingBox())?.width ?? 0);

/** Drags the right edge of a column by 40 px, and expects the column to follow the pointer. */
export async function widenColumn(page: Page, name: string) {
  await page.keyboard.press('Escape');
  await activePage(page).getByRole('heading', { level: 1 }).click();
  const edge = headerCell(page, name).locator('.ht-table-resize');
  await edge.scrollIntoViewIfNeeded();
  const box = await edge.boundingBox();
  if (!box) throw new Error(`${name} has no edge`);
  const before = await measureColumn(page, name);
  await page.mouse.move(box.x + 4, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 44, box.y + 10, { steps: 3 });
  await page.mouse.up();
  // Widths are whole pixels before they are stretched.
  await expect.poll(async () => Math.abs((await measureColumn(page, name)) - before - 40)).toBeLessThanOrEqual(2);
}

/** The column widths in px that the server stores under a preference key. */
export async function fetchColumnWidths(browser: OperatorBrowser, key: string): Promise<Record<string, number>> {
  const columns = (await fetchPreferences(browser))[key] as { width?: Record<string, number> } | undefined;
  return columns?.width ?? {};
}
