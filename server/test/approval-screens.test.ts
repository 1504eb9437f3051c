// @module-tag full
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { type Browser, type Page, chromium } from '@playwright/test';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { isBuilt } from '../../scripts/build-state.mjs';
import { approvalCases } from './approval-cases.ts';
import { type RequestWorld, makeRequestWorld, requestAction } from './approval-world.ts';
import { provideServer } from './server.ts';

/** The case of every action that can need a checker, in a browser on the built console. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const DESK = { width: 1440, height: 900 };
const SMALL = { width: 1200, height: 800 };
/** Requests of which every field changes, or that show every policy. Usual ones fit on the screen. */
const LONG: readonly string[] = ['approval.lock', 'market.save', 'withdrawLimit.save'];

const server = provideServer({ jobs: false, consoleDir: `${root}console/dist` });
let world: RequestWorld;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
let problemsOfLock: string[] = [];

beforeAll(async () => {
  if (!isBuilt(root)) throw new Error('The build is older than the sources: run npm run build.');
  const baseURL = await server.server.listen({ host: '127.0.0.1', port: 0 });
  const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
  const executablePath = process.env['CHROMIUM_PATH'] ?? browsers.find((path) => existsSync(path));
  browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const context = await browser.newContext({ baseURL, viewport: DESK, locale: 'zh-CN', reducedMotion: 'reduce' });
  context.on('weberror', (error) => complaints.push(String(error.error().stack)));
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page = await context.newPage();
  world = await makeRequestWorld(server, async ({ house: { second } }, id) => {
    // With more abilities, a case shows more.
    const abilities = Object.values(ABILITY);
    await server.query(sql`update agent set abilities = ${abilities}::int[] where account = ${second.account}`);
    const session = {
      token: second.token,
      admin: second.account,
      planSet: true,
      expire: server.clock.now() + 3_600_000,
    };
    await page.addInitScript(`localStorage.setItem('hengtai.session', '${JSON.stringify(session)}')`);
    await page.goto('/approval');
    await page.locator('h1:visible').waitFor();
    await page.evaluate(axe.source);
    problemsOfLock = await findProblems('approval.lock', id);
  });
});
afterAll(() => browser.close());

/** Opens the case of a request through the client-side router, because a reload costs a second. */
async function openCase(id: number) {
  // The router warns about history entries without its index.
  await page.evaluate(`{
    const idx = (history.state?.idx ?? 0) + 1;
    const state = { idx, key: 'case-' + idx, usr: null };
    history.pushState(state, '', '/approval?open=${id}');
    dispatchEvent(new PopStateEvent('popstate', { state }));
  }`);
  await page.locator('.ant-drawer-title', { hasText: `复核 #${id}` }).waitFor();
  await page.locator('.ht-approval-strip').waitFor();
  await page.waitForFunction(`!document.querySelector('.ht-dialog-drawer [aria-busy=true]')`);
}

/** What is wrong with the case of a request: where it scrolls, and its accessibility in the theme of the page. */
async function findProblems(name: string, id: number): Promise<string[]> {
  await openCase(id);
  const tall = LONG.includes(name) ? [] : await findScrolling('y', DESK);
  const wide = [...(await findScrolling('x', DESK)), ...(await findViolations())];
  await page.setViewportSize(SMALL);
  const small = [...(LONG.includes(name) ? [] : await findScrolling('y', SMALL)), ...(await findScrolling('x', SMALL))];
  await page.setViewportSize(DESK);
  return [...tall, ...wide, ...small];
}

/** The elements of the case that scroll along an axis, other than the timeline. */
const findScrolling = (axis: 'x' | 'y', { width }: typeof DESK): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.ht-records-case, .ht-records-case :not(.ht-records-timeline > *)')]
    .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one)['overflow-${axis}']))
    .map((one) => [one, ${axis === 'x' ? 'one.scrollWidth - one.clientWidth' : 'one.scrollHeight - one.clientHeight'}])
    .filter(([, over]) => over > 1)
    .map(([one, over]) => one.className + ' scrolls by ' + over + ' px along ${axis} at ${width}')`);

async function findViolations(): Promise<string[]> {
  // Selectors and style sheets cost time, and nothing below reads them.
  const options: axe.RunOptions = { resultTypes: ['violations'], selectors: false, preload: false };
  const run = `axe.run({ include: ['.ht-dialog-drawer'] }, ${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<axe.AxeResults>(run);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

const names = Object.keys(approvalCases);
/** Half of the cases are looked at in each theme, to save time: all of them are made of the same parts. */
const themes = names.map((name, at) => [name, at % 2 === 0 ? 'light' : 'dark'] as const);

test.each(themes.toSorted(([, a], [, b]) => b.localeCompare(a)))('%s in the %s theme', async (name, colorScheme) => {
  await page.emulateMedia({ colorScheme });
  const found =
    name === 'approval.lock' ? problemsOfLock : await findProblems(name, (await requestAction(world, name)).row.id);
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
