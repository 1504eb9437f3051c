/**
 * Memory of a console that stays open: ten tabs over a simulated market, switched a hundred times in half an hour. Needs
 * `npm run build`.
 */
import type { Page } from '@playwright/test';
import { admin, startInstallation } from '../console/e2e/server.ts';
import { openBrowser, openWindow } from './lib/browser.ts';
import { logIn } from './lib/child.ts';
import { type Figure, report } from './lib/report.ts';
import { ensure, logProgress, scaleCount } from './lib/run.ts';

const PARTS = 3;
const SWITCHES = scaleCount(102, PARTS);
const DURATION_MS = scaleCount(30 * 60_000, PARTS);
/** The simulated market begins without orders: so long until its lists are full. */
const FILL_MS = scaleCount(10 * 60_000);
/** The highest growth in megabytes that still counts as flat: about the rows of one list. */
const LIMIT = 6;
const PATHS = [
  '/user',
  '/recharge',
  '/withdraw',
  '/fund/record',
  '/market',
  '/trade/order',
  '/future/wait',
  '/future/open?size=200',
  '/signal',
  '/home',
];

logProgress('memory');
const { url, stop } = await startInstallation({ SIMULATOR: 'on', SIMULATOR_SEED: 'memory', SIMULATOR_DAYS: '10' });
try {
  const browser = await openBrowser();
  try {
    const context = await openWindow(browser, url, await logIn(Number(new URL(url).port), admin));
    report(await measureMemory(await context.newPage()));
  } finally {
    await browser.close();
  }
} finally {
  await stop();
}

/** The heap after each third of the time, compared with the start. */
async function measureMemory(page: Page): Promise<Figure[]> {
  for (const path of PATHS) {
    await page.goto(path);
    await page.locator('h1:visible').waitFor();
  }
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const measure = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    return { megabytes: metric('JSHeapUsedSize') / 1e6, nodes: metric('Nodes') };
  };
  const count = await page.getByRole('tablist').first().getByRole('tab').count();
  ensure(count === PATHS.length, `${count} tabs are open`);
  // Each tab is mounted and has been left, so that what is loaded on first use does not count as growth.
  for (let at = 0; at < 2 * count; at += 1) {
    await page.waitForTimeout(FILL_MS / (2 * count));
    await openTab(page, at);
  }

  const start = await measure();
  logProgress(`start: ${start.megabytes.toFixed(1)} MB, ${start.nodes} nodes`);
  const figures: Figure[] = [];
  for (let part = 1; part <= PARTS; part += 1) {
    for (let at = 0; at < SWITCHES / PARTS; at += 1) {
      await page.waitForTimeout(DURATION_MS / SWITCHES);
      await openTab(page, at);
    }
    // The figures compare the same tab in front.
    await openTab(page, count - 1);
    const { megabytes, nodes } = await measure();
    const minutes = ((DURATION_MS * part) / PARTS / 60_000).toFixed(0);
    const detail = `${start.megabytes.toFixed(1)} → ${megabytes.toFixed(1)} MB, ${start.nodes} → ${nodes} nodes`;
    logProgress(`${minutes} minutes: ${detail}`);
    const ours = Math.max(0, megabytes - start.megabytes);
    figures.push({
      name: `heap, ${count} tabs, ${minutes} minutes`,
      unit: 'MB',
      ours,
      limit: LIMIT,
      against: 'target',
      detail,
    });
  }
  return figures;
}

/** Opens the tab at this place, counted round and round. */
async function openTab(page: Page, at: number): Promise<void> {
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  await tabs.nth(at % PATHS.length).click();
  await page.locator('h1:visible').waitFor();
}
