import { ABILITIES } from '@hengtai/contract/authority/ability';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import { parseCsv } from '../../server/test/csv.ts';
import { FREE_FIELDS, INTERNAL_WORD_IN_CELL } from '../../server/test/internal-words.ts';
import { admin, createSession, expect, logIn, newOperator, activePage, tab, test } from './desk.ts';
import { navigateInApp } from './list-helpers.ts';

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
  { count: 4, megabytes: 4, nodes: 2_000, tag: [] },
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
    await openAndCloseTabs(PAGES.length);
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
