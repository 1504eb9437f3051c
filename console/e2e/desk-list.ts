import { PAGE_SIZE } from '@hengtai/contract/wire/list';
import { type Page } from '@playwright/test';
import { api, expect, activePage } from './desk.ts';
import { type admin, secondOperator } from './server.ts';

interface Row {
  id: number;
  account: string;
  state: number;
  amount: string;
  marketName: string;
}

export interface ListData {
  list: Row[];
  total: number;
  summary?: { marketName: string; count: number; amount: string; fee: string; received: string }[];
}

/** Page size that a list writes into its address unless another was chosen. */
const DEFAULT_SIZE = String(PAGE_SIZE);

const tokens = new Map<string, string>();

/** An API call by an operator in a session of its own, while a page is open; logs in on first use. */
export async function callAs(
  page: Page,
  credentials: typeof admin,
  method: 'GET' | 'POST',
  path: string,
  body: object,
) {
  const knownToken = tokens.get(credentials.account);
  const response = knownToken ? await api(page, method, path, body, knownToken) : undefined;
  if (response && response.code !== 400) return response;
  const login = await api(page, 'POST', 'login', credentials);
  expect(login.msg).toBe('登录成功');
  tokens.set(credentials.account, login.token ?? '');
  return api(page, method, path, body, login.token);
}

/** A list as the server returns it; a page of the size that the list shows unless the query names another. */
export const fetchList = async (page: Page, path: string, query: object = {}): Promise<ListData> =>
  (await callAs(page, secondOperator, 'GET', path, { size: DEFAULT_SIZE, ...query })).data as ListData;

/** State of a withdrawal on the server. */
export async function fetchWithdrawalState(page: Page, id: number): Promise<number | undefined> {
  return (await fetchList(page, 'withdraw/list', { id })).list[0]?.state;
}

/** Withdrawals that wait for review, newest first; waits until there are at least `count`. */
export async function waitForPendingWithdrawals(page: Page, count: number): Promise<Row[]> {
  let rows: Row[] = [];
  await expect
    .poll(
      async () => {
        rows = (await fetchList(page, 'withdraw/list', { state: 0, size: 200 })).list;
        return rows.length;
      },
      { timeout: 45_000 },
    )
    .toBeGreaterThanOrEqual(count);
  return rows;
}

export const table = (page: Page) => activePage(page).locator('.ht-table');
export const row = (page: Page, id: number) => table(page).locator(`[data-row-key="${id}"]`);
export const rows = (page: Page) => table(page).locator('.ant-table-row[data-row-key]');
/** The query of the address, without the page size that nobody chose. */
export function searchParamsOf(page: Page): URLSearchParams {
  const { searchParams: params } = new URL(page.url());
  if (params.get('size') === DEFAULT_SIZE) params.delete('size');
  return params;
}

/** Ids of the rows in the active page, in their order. */
export const readRowIds = (page: Page): Promise<number[]> =>
  rows(page).evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-row-key'))));

/** Waits until the table shows rows without skeletons. */
export async function waitForRows(page: Page) {
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
  await expect(rows(page).first()).toBeVisible();
  await expect(table(page).locator('.ht-page-skeleton-line')).toHaveCount(0);
}

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** Chooses an option of a filter by its label. */
export async function chooseFilterOption(page: Page, label: string, option: string) {
  await activePage(page).getByRole('search').getByLabel(label, { exact: true }).click();
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click();
}
