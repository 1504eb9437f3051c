import { randomUUID } from 'node:crypto';
import { ABILITIES } from '@hengtai/contract/ability';
import type { CallSpec } from '@hengtai/contract/endpoint';
import { nouns } from '@hengtai/contract/index';
import type { Page } from '@playwright/test';
import { pages } from '../src/app/pages.ts';
import { parseCsv } from '../../server/test/csv.ts';
import { FREE_FIELDS, INTERNAL_WORD_IN_CELL } from '../../server/test/internal-words.ts';
import { admin, createSession, expect, logIn, newOperator, activePage, tab, test } from './desk.ts';
import { callAs, fetchList, rows, table } from './desk-list.ts';
import { sendEvents } from './desk-platform.ts';
import { navigateInApp, waitForList } from './list-helpers.ts';
import { listPages } from './list-pages.ts';

/** Text that would run if it were treated as markup, attribute, template or formula. */
const HOSTILE = `"'><img src=x onerror="window.struck=1"><script>window.struck=1</script>{{1}}\${1}`;
const FORMULA = '=HYPERLINK("javascript:window.struck=1","x")';
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PASSWORD = 'first-password-1';

/** Calls the API as the admin; a refusal fails the test. */
async function callAsAdmin(page: Page, path: string, input: object): Promise<{ id: number; no: string }> {
  const { code, msg, data } = await callAs(page, admin, 'POST', path, input);
  expect([path, code, msg]).toEqual([path, 200, expect.any(String)]);
  return data as { id: number; no: string };
}

/** Creates records with hostile text in every text field; returns the paths that show them. */
async function createHostileRecords(page: Page): Promise<string[]> {
  const agent = await newOperator(page);
  await callAsAdmin(page, 'agent/remark', { id: agent.id, remark: HOSTILE });
  const account = `tour.${randomUUID().slice(0, 13)}`;
  const user = await callAsAdmin(page, 'user/add', {
    account,
    password: PASSWORD,
    agent: agent.account,
    remark: HOSTILE,
  });
  const [pendingNo, rejectedNo, messageNo] = [randomUUID(), randomUUID(), randomUUID()];
  const chain = { account, market: 'USDT', network: 'TRC20' };
  const submission = { account, name: HOSTILE.slice(0, 100), country: FORMULA.slice(0, 64), idType: 1, level: 1 };
  await sendEvents(
    {
      type: 'recharge.credited',
      data: {
        no: randomUUID(),
        ...chain,
        address: HOSTILE,
        txHash: FORMULA,
        amount: '100',
        confirmations: 20,
        source: 1,
      },
    },
    ...[pendingNo, rejectedNo].map((no) => ({
      type: 'withdraw.requested',
      data: { no, ...chain, address: FORMULA, memo: HOSTILE, amount: '7', fee: '0' },
    })),
    { type: 'auth.submitted', data: { ...submission, idNumber: HOSTILE.slice(0, 64), front: PNG, back: PNG } },
    { type: 'message.received', data: { no: messageNo, account, text: `${HOSTILE}\n${FORMULA}` } },
  );
  const [pending, rejected] = (await fetchList(page, 'withdraw/list', { account, sort: 'id' })).list;
  await callAsAdmin(page, 'withdraw/reject', { id: rejected?.id, reason: HOSTILE });
  const text = { lang: 'zh-CN', title: HOSTILE, content: `<p>${HOSTILE}</p>`, platform: 0, state: 0 };
  const notices = await callAs(page, admin, 'POST', 'announce/add', { announceList: [text] });
  const [notice] = notices.data as { id: number }[];
  const terms = { marketId: 2, side: 1, leverage: 5, price: '100', ratio: '10', minAmount: '1', maxAmount: '500' };
  const times = { startAt: Date.now() - 60_000, endAt: Date.now() + 3_600_000 };
  await callAsAdmin(page, 'signal/add', { title: HOSTILE.slice(0, 64), ...terms, ...times, state: 0 });
  await callAsAdmin(page, 'service/reply/save', { title: '=1+1', text: HOSTILE, shared: 0 });
  const [identity] = (await fetchList(page, 'auth/list', { account })).list;
  const [conversation] = (await fetchList(page, 'service/list', { account })).list;
  return [
    `/user?account=${account}&open=${user.id}`,
    `/agent?account=${agent.account}`,
    `/withdraw?account=${account}&open=${pending?.id}`,
    `/withdraw?account=${account}&open=${rejected?.id}`,
    `/recharge?account=${account}`,
    `/auth?account=${account}&open=${identity?.id}`,
    `/service?open=${conversation?.id}`,
    `/announce?open=${notice?.id}`,
    `/announce/update/${notice?.id}`,
    `/fund/record?account=${account}`,
  ];
}

test('every page opens with hostile text in its records: no script runs and no request fails', async ({ page }) => {
  const hostilePaths = await createHostileRecords(page);
  const problems: string[] = [];
  page.on('dialog', (dialog) => problems.push(dialog.message()));
  page.on(
    'response',
    (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  );
  page.on('requestfailed', (request) => {
    // Leaving a page aborts its pending requests.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()}`);
  });
  await logIn(page, admin);
  const origin = new URL(page.url()).origin;
  page.on('request', (request) => {
    const url = request.url();
    if (![origin, `blob:${origin}`, 'data:'].some((start) => url.startsWith(start))) problems.push(`foreign: ${url}`);
  });

  const staticPaths = pages.map(({ path }) => path.replace('/market/update/:id', '/market/update/2'));
  for (const address of [...staticPaths.filter((path) => !path.includes(':')), ...hostilePaths]) {
    const { pathname, searchParams } = new URL(address, origin);
    await navigateInApp(page, pathname, Object.fromEntries(searchParams));
    await expect(activePage(page).getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.sh-page:visible .ht-skeleton-line, .ht-page-drawer .ht-skeleton-line')).toHaveCount(0);
    const name = address.slice(1).replaceAll(/[^\w]+/g, '-');
    await page.screenshot({ path: test.info().outputPath(`${name}.png`) });
    expect([address, await page.evaluate(() => 'struck' in window)]).toEqual([address, false]);
  }
  expect(problems).toEqual([]);
});

/** Kinds of columns with accounts. */
const ACCOUNT_KINDS = ['user', 'agent', 'operator'];
/** What is shown in place of an account. */
const NO_ACCOUNT = ['', '--', '系统'];

test('every account of a list is a link that opens its drawer, every ledger row leads to its record', async ({
  page,
}) => {
  await logIn(page, admin);
  const targets = new Set<string>();
  for (const { path, call } of listPages().lists) {
    await navigateInApp(page, path);
    await waitForList(page);
    const fields = (call.list.columns ?? [])
      .filter(({ kind }) => ACCOUNT_KINDS.includes(kind))
      .map(({ field }) => field);
    const cells = await table(page).evaluate(
      (box, fields) =>
        [...box.querySelectorAll<HTMLElement>('.ant-table-row [data-col]')]
          .filter(({ dataset }) => fields.includes(dataset['col'] ?? ''))
          .map((cell) => {
            const account = cell.querySelector('.ht-account');
            const link = account?.closest('a') ?? null;
            return { text: (account ?? cell).textContent ?? '', href: link?.getAttribute('href') ?? null };
          }),
      fields,
    );
    const plain = cells.filter(({ text, href }) => href === null && !NO_ACCOUNT.includes(text));
    expect.soft({ path, plain }).toEqual({ path, plain: [] });
    for (const { href } of cells) if (href) targets.add(href);
  }
  // Two of each form: a user by number and an agent by account.
  const opened = ['/user?open=', '/agent?who='].flatMap((form) =>
    [...targets].filter((href) => href.startsWith(form)).slice(0, 2),
  );
  expect(opened).toHaveLength(4);
  for (const href of opened) {
    const { pathname, searchParams } = new URL(href, 'http://localhost');
    await navigateInApp(page, pathname, Object.fromEntries(searchParams));
    const title = page.locator('.ht-page-drawer .ht-record-head-account');
    await expect(title, href).toBeVisible();
    const who = searchParams.get('who');
    if (who) await expect(title).toHaveText(who);
  }
  const [first] = (await fetchList(page, 'user/list', { size: 1 })).list;
  const credit = { userId: first?.id, marketId: 1, platform: 1, amount: '1', state: 1, reason: '核对更正' };
  await callAsAdmin(page, 'asset/active/add', credit);
  const { list } = await fetchList(page, 'fund/record', { size: 50 });
  await navigateInApp(page, '/fund/record', { size: '50' });
  await waitForList(page);
  const references = rows(page).locator('td[data-col=refId]');
  await expect(references).toHaveCount(list.length);
  for (const cell of await references.all())
    await expect(cell.getByRole('link').first()).toHaveAttribute('href', /^\//);
});

test('no exported cell has a word that only the code uses', async ({ page }) => {
  const operator = await newOperator(page, [...ABILITIES]);
  const session = await createSession(page, operator);
  const found: string[] = [];
  for (const call of Object.values<Record<string, CallSpec>>(nouns).flatMap((calls) => Object.values(calls))) {
    const columns = call.kind === 'export' && call.list?.columns;
    if (!columns) continue;
    const response = await page.request.post(`/api/v1/admin/${call.path}`, {
      headers: { token: session.token },
      data: { format: 'csv' },
    });
    const [, ...records] = parseCsv(await response.text());
    const free = columns.map(({ field }) => FREE_FIELDS.has(field));
    const cells = records.flatMap((record) => record.filter((_cell, i) => !free[i]));
    found.push(...cells.filter((cell) => INTERNAL_WORD_IN_CELL.test(cell)).map((cell) => `${call.path}: ${cell}`));
  }
  expect([...new Set(found)]).toEqual([]);
});

/** Number of rounds, with the allowed growth of the heap in megabytes and of the DOM in nodes. */
const HEAP_ROUNDS = [
  { count: 12, megabytes: 4, nodes: 2_000, tag: [] },
  { count: 50, megabytes: 6, nodes: 4_000, tag: ['@long'] },
];

for (const { count, megabytes, nodes, tag } of HEAP_ROUNDS) {
  test(`${count} rounds of opening and closing tabs keep the heap within its bound`, { tag }, async ({ page }) => {
    await logIn(page, admin);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const measure = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devtools.send('Performance.getMetrics');
      const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
      return { megabytes: metric('JSHeapUsedSize') / 1e6, nodes: metric('Nodes') };
    };
    const openAndCloseTabs = async (times: number) => {
      for (let round = 0; round < times; round += 1) {
        const [path, title] = PAGES[round % PAGES.length] ?? PAGES[0];
        await navigateInApp(page, path);
        await expect(activePage(page).locator('.ht-table')).toHaveAttribute('aria-busy', 'false');
        await tab(page, title).press('Delete');
        await expect(tab(page, title)).toHaveCount(0);
      }
    };
    await openAndCloseTabs(8);
    const before = await measure();
    await openAndCloseTabs(count);
    const after = await measure();
    // A leaked list would leave megabytes and thousands of nodes in each round.
    expect(after.megabytes - before.megabytes).toBeLessThan(megabytes);
    expect(after.nodes - before.nodes).toBeLessThan(nodes);
  });
}

const PAGES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['/session', '登录会话'],
  ['/market', '市场管理'],
  ['/withdraw', '提现记录'],
  ['/user', '用户列表'],
];
