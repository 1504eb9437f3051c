import type { Page } from '@playwright/test';
import { pages } from '../src/app/pages.ts';
import { activePage, admin, expect, expectAccessible, logIn, test } from './desk.ts';
import { fetchList, rows, table } from './desk-list.ts';
import { isListResponse, navigateInApp, waitForList } from './list-helpers.ts';
import { type ListPage, listPages } from './list-pages.ts';
import { WINDOWS, findCutInDrawer, findLayoutFaults } from './walk-layout.ts';
import { type Extremes, callAsAdmin, createExtremes, createHostileRecords } from './walk-records.ts';

/** Visible controls without a text that lack an accessible name or a word on hover. */
const wordless = (page: Page) =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, [role=button], a[href], summary')];
    const isShown = (one: HTMLElement) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.offsetWidth > 1;
    const lacking = controls.filter((one) => {
      if (!isShown(one) || one.innerText.trim() !== '' || one.closest('[aria-hidden=true], [inert]')) return false;
      // A label beside the control is its word; a disabled switch gives its reason instead.
      const hasLabel = one instanceof HTMLButtonElement && one.labels.length > 0;
      if (hasLabel || one.getAttribute('aria-disabled') === 'true') return false;
      const named = one.matches('[aria-label], [aria-labelledby]') ? one : one.querySelector('[aria-label]');
      const name = named?.getAttribute('aria-label') ?? named?.getAttribute('aria-labelledby') ?? '';
      const title = one.title || one.querySelector<HTMLElement>('[title]')?.title;
      return name === '' || !title;
    });
    return lacking.map((one) => one.outerHTML.slice(0, 200));
  });

/** Pages that have no test of their own for accessibility. */
const WITHOUT_OWN_CHECK =
  /^\/(home|alarm|approval|channel|command|ieo\/.*|second\/.*|future\/wait|config(\/.*)?|market(\/.*)?|announce\/update.*)$/;

/** What holds on every page, whatever it shows. Each failure names its promise and the address. */
async function checkPage(page: Page, address: string) {
  const [path = ''] = address.split('?');
  await expect(activePage(page).getByRole('heading', { level: 1 })).toBeVisible();
  await expect(
    page.locator('.ht-app-page:visible .ht-page-skeleton-line, .ht-dialog-drawer .ht-page-skeleton-line'),
  ).toHaveCount(0);
  const hasRun = await page.evaluate(() => 'struck' in window);
  expect.soft(hasRun, `hostile text does not run: ${address}`).toBe(false);
  expect.soft(await wordless(page), `a control without a text has a name and a word: ${address}`).toEqual([]);
  if (!WITHOUT_OWN_CHECK.test(path)) return;
  const hasDrawer = (await page.locator('.ht-dialog-drawer:visible').count()) > 0;
  await expectAccessible(page, hasDrawer ? '.ht-dialog-drawer' : `[id="page:${path}"]`);
}

async function openAndCheck(page: Page, address: string) {
  const { pathname, searchParams } = new URL(address, 'http://console');
  await navigateInApp(page, pathname, Object.fromEntries(searchParams));
  await checkPage(page, address);
}

/** Kinds of columns with accounts. */
const ACCOUNT_KINDS = ['user', 'agent', 'operator'];
/** What is shown in place of an account. */
const NO_ACCOUNT = ['', '--', '系统'];

/** Expects every account in the visible rows to be a link; returns where the links lead. */
async function checkAccounts(page: Page, { path, call }: ListPage): Promise<string[]> {
  const fields = (call.list.columns ?? []).filter(({ kind }) => ACCOUNT_KINDS.includes(kind)).map(({ field }) => field);
  const cells = await table(page).evaluate(
    (box, fields) =>
      [...box.querySelectorAll<HTMLElement>('.ant-table-row [data-col]')]
        .filter(({ dataset }) => fields.includes(dataset['col'] ?? ''))
        .map((cell) => {
          const account = cell.querySelector('.ht-records-account');
          const link = account?.closest('a') ?? null;
          return { text: (account ?? cell).textContent ?? '', href: link?.getAttribute('href') ?? null };
        }),
    fields,
  );
  const plain = cells.filter(({ text, href }) => href === null && !NO_ACCOUNT.includes(text));
  expect.soft(plain, `every account is a link: ${path}`).toEqual([]);
  return cells.flatMap(({ href }) => href ?? []);
}

/** Expects the list to fit both windows. The page keeps the size that the smaller one gave it. */
async function checkLayout(page: Page, path: string, place: string) {
  for (const window of WINDOWS) {
    const { width, height } = window;
    await page.setViewportSize({ width, height });
    await waitForList(page);
    // New rows and totals, and the layout of the kit after a resize, take some frames. Only what stays is a fault.
    await expect
      .configure({ soft: true, timeout: 8_000 })
      .poll(() => findLayoutFaults(page, path, window), `the list cuts nothing: ${place} ${width}`)
      .toEqual([]);
  }
}

/** Rows of an automatic page below the cards of running contracts, in the smaller window. */
const ROWS_BELOW_CARDS = 7;

/** The list filtered to the user with the extremes, or its agent; undefined if it has no such filter. */
function searchFor({ call, path }: ListPage, { account, agent }: Extremes): Record<string, string> | undefined {
  if (path === '/agent') return { account: agent };
  return call.list.filters.some(({ field }) => field === 'account') ? { account } : undefined;
}

/** Opens a list with the rows of an automatic page in the smaller window, the ones that must fit. */
async function openList(page: Page, list: ListPage, search: Record<string, string>) {
  const [window] = WINDOWS;
  await page.setViewportSize(window);
  const size = list.path === '/second/open' ? ROWS_BELOW_CARDS : window.rows;
  // Until its response the list shows the rows of the address before.
  await Promise.all([
    page.waitForResponse(isListResponse(list)),
    navigateInApp(page, list.path, { size: String(size), ...search }),
  ]);
}

/** Lists that must show the user with the extremes. */
const WITH_EXTREMES = [
  '/withdraw',
  '/recharge',
  '/user',
  '/auth',
  '/agent',
  '/fund/record',
  '/internalTransfer',
  '/trade/order',
  '/trade/fill',
  '/future/open',
];

/** Opens every list, and those of the extremes; returns where its accounts lead. */
async function walkLists(page: Page, lists: readonly ListPage[], extremes: Extremes): Promise<Set<string>> {
  const targets = new Set<string>();
  const filled: string[] = [];
  for (const list of lists) {
    const { path } = list;
    await openList(page, list, {});
    await checkLayout(page, path, path);
    await checkPage(page, path);
    for (const href of await checkAccounts(page, list)) targets.add(href);
    const search = searchFor(list, extremes);
    if (!search) continue;
    await openList(page, list, search);
    await checkLayout(page, path, `${path} with extremes`);
    if ((await rows(page).count()) > 0) filled.push(path);
  }
  expect(filled).toEqual(expect.arrayContaining(WITH_EXTREMES));
  return targets;
}

/** Two of each form: a user by number and an agent by account. */
async function openAccounts(page: Page, targets: Set<string>) {
  const opened = ['/user?open=', '/agent?who='].flatMap((form) =>
    [...targets].filter((href) => href.startsWith(form)).slice(0, 2),
  );
  expect(opened).toHaveLength(4);
  for (const href of opened) {
    await openAndCheck(page, href);
    const title = page.locator('.ht-dialog-drawer .ht-lists-record-head-account');
    await expect(title, href).toBeVisible();
    const who = new URLSearchParams(href.split('?')[1]).get('who');
    if (who) await expect(title).toHaveText(who);
  }
}

async function checkLedgerLinks(page: Page) {
  const [first] = (await fetchList(page, 'user/list', { size: 1 })).list;
  const credit = { userId: first?.id, marketId: 1, platform: 1, amount: '1', state: 1, reason: '核对更正' };
  await callAsAdmin(page, 'asset/active/add', credit);
  const { list } = await fetchList(page, 'fund/record', { size: 50 });
  await navigateInApp(page, '/fund/record', { size: '50' });
  await waitForList(page);
  const references = rows(page).locator('td[data-col=refId]');
  await expect(references).toHaveCount(list.length);
  const hrefs = await references.evaluateAll((cells) =>
    cells.map((cell) => cell.querySelector('a')?.getAttribute('href') ?? ''),
  );
  expect(
    hrefs.filter((href) => !href.startsWith('/')),
    'every ledger row leads to its record',
  ).toEqual([]);
}

async function checkDrawerLayout(page: Page, { account }: Extremes) {
  await navigateInApp(page, '/withdraw', { account });
  await waitForList(page);
  const risk = rows(page).locator('[data-col=risk]').first();
  await expect(risk).toContainText(/\+\d/);
  await expect(risk.getByTitle(/、.+、/), 'hover names every risk').toBeVisible();
  await rows(page).first().getByRole('button', { name: '详情' }).click();
  await expect(page.locator('.ht-dialog-drawer').getByRole('list', { name: '净入金' })).toBeVisible();
  for (const { width, height } of WINDOWS) {
    await page.setViewportSize({ width, height });
    await expect
      .configure({ soft: true, timeout: 8_000 })
      .poll(() => findCutInDrawer(page), `the review drawer cuts nothing: ${width}`)
      .toEqual([]);
  }
}

/** Records what no page may cause: dialogs of scripts, failed requests, and requests to another origin. */
function recordProblems(page: Page): string[] {
  const problems: string[] = [];
  const origin = new URL(page.url()).origin;
  page.on('dialog', (dialog) => problems.push(dialog.message()));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // Leaving a page aborts its pending requests.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (![origin, `blob:${origin}`, 'data:'].some((start) => url.startsWith(start))) problems.push(`foreign: ${url}`);
  });
  return problems;
}

test('a walk over every page: hostile text does not run, nothing is cut, controls have words, accounts are links', async ({
  page,
}) => {
  // One test, because opening the pages takes longer than all checks.
  test.setTimeout(600_000);
  const hostilePaths = await createHostileRecords(page);
  const extremes = await createExtremes(page);
  await logIn(page, admin);
  const problems = recordProblems(page);
  const { lists } = listPages();
  const targets = await test.step('lists', () => walkLists(page, lists, extremes));
  await test.step('other pages and records with hostile text', async () => {
    const paths = pages.map(({ path }) => path.replace('/market/update/:id', '/market/update/2'));
    const others = paths.filter((path) => !path.includes(':') && !lists.some((list) => list.path === path));
    for (const address of [...others, ...hostilePaths]) await openAndCheck(page, address);
  });
  await test.step('other reports', async () => {
    for (const tab of ['work', 'review', 'liability']) {
      await navigateInApp(page, '/report', { tab });
      await checkLayout(page, '/report', `/report?tab=${tab}`);
    }
  });
  await test.step('links of accounts', () => openAccounts(page, targets));
  await test.step('links of ledger rows', () => checkLedgerLinks(page));
  await test.step('the review drawer', () => checkDrawerLayout(page, extremes));
  expect.soft(problems, 'no page fails a request or sends one elsewhere').toEqual([]);
});
