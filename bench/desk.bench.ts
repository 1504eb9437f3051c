/**
 * Responsiveness of the console in Chromium against the build: switching tabs, scrolling, typing into a filter, a background
 * refresh of a live list, and the first load of a page with an empty cache. Limits are the console's targets; for a first
 * load the "good" thresholds of Web Vitals. Needs `npm run build`.
 */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { admin, startInstallation } from '../console/e2e/server.ts';
import {
  type Device,
  type FirstLoad,
  measureFirstLoad,
  recordFrames,
  openBrowser,
  openWindow,
  measureThemeChange,
  measureUntilPaint,
} from './lib/browser.ts';
import { PLATFORM, type Session, callOnce, eventsRequest, logIn } from './lib/child.ts';
import { median } from './lib/load.ts';
import { type Figure, report } from './lib/report.ts';
import { ensure, logProgress, scaleCount } from './lib/run.ts';

const ROWS = 200;
const POSITIONS = scaleCount(1_000, ROWS);
const ROUNDS = 5;
const LISTS = [
  'user',
  'recharge',
  'withdraw',
  'fund/record',
  'market',
  'trade/order',
  'future/wait',
  'signal',
  'follow',
];
const POSITION_LIST = `/future/open?size=${ROWS}`;
const FRAME_MS = 1_000 / 60;
const WATCHED_MS = scaleCount(16_000, 8_000);

const DESK: Device = { cpuSlowdown: 1 };
const PHONE: Device = { cpuSlowdown: 4, network: { kbps: 1_638, rtt: 150 } };

logProgress('desk');
const { url, stop } = await startInstallation({
  SIMULATOR: 'off',
  PLATFORM_KEY: PLATFORM.key,
  PLATFORM_SECRET: PLATFORM.secret,
});
try {
  const browser = await openBrowser();
  try {
    const port = Number(new URL(url).port);
    await openPositions(port);
    const session = await logIn(port, admin);
    report([...(await measureTabs(browser, session, port)), ...(await measureFirstLoads(browser, session))]);
  } finally {
    await browser.close();
  }
} finally {
  await stop();
}

async function sendEvents(port: number, events: readonly { type: string; data: object }[]): Promise<void> {
  const eventsWithIds = events.map((event) => ({ ...event, eventId: randomUUID(), at: Date.now() }));
  const { data } = await callOnce(port, eventsRequest(eventsWithIds));
  const refused = (data as { result: string }[]).find(({ result }) => result !== 'applied');
  ensure(refused === undefined, JSON.stringify(refused));
}

function tick() {
  const price = (95_000 + Math.random() * 1_000).toFixed(2);
  return { type: 'tick', data: { market: 'BTC', price, volume: '1', at: Date.now() } };
}

async function openPositions(port: number): Promise<void> {
  const account = 'desk.bench';
  const amount = '100000000';
  const move = { account, toAccount: account, market: 'USDT', platform: 1, toPlatform: 3, amount };
  const credit = { account, market: 'USDT', network: 'TRC20', address: 'T', amount, confirmations: 20, source: 1 };
  await sendEvents(port, [
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: { no: randomUUID(), ...credit } },
    { type: 'transfer.made', data: { no: randomUUID(), ...move } },
    tick(),
  ]);
  const order = { account, market: 'BTC', demo: 0, type: 2, leverage: 10, amount: '1', margin: '10000' };
  const nos = Array.from({ length: POSITIONS }, () => randomUUID());
  const orders = nos.map((no, i) => ({ type: 'position.placed', data: { no, ...order, side: 1 + (i % 2) } }));
  const fills = nos.map((no) => ({ type: 'position.opened', data: { no, price: '95500', fee: '0' } }));
  for (let i = 0; i < POSITIONS; i += ROWS) await sendEvents(port, orders.slice(i, i + ROWS));
  for (let i = 0; i < POSITIONS; i += ROWS) await sendEvents(port, fills.slice(i, i + ROWS));
}

function rows(page: Page) {
  return page.locator('.ht-page:visible [data-row-key]');
}

/** Measures a console with ten tabs, the last of which is the live list of positions. */
async function measureTabs(currentBrowser: Browser, session: Session, port: number): Promise<Figure[]> {
  const context = await openWindow(currentBrowser, url, session);
  const page = await context.newPage();
  for (const list of LISTS) {
    await page.goto(`/${list}`);
    await page.locator('h1:visible').waitFor();
  }
  await page.goto(POSITION_LIST);
  await rows(page).first().waitFor();
  const figures = [
    await measureTabSwitch(page),
    await measureThemeSwitch(page),
    await measureHeap(page),
    await measureTyping(page),
    await measureScrolling(page),
    await measureRefresh(page, port),
  ];
  await context.close();
  return figures;
}

/** Opens all tabs once, so that each is mounted, and then measures two more passes. */
async function measureTabSwitch(page: Page): Promise<Figure> {
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  const count = await tabs.count();
  ensure(count >= 10, `${count} tabs are open`);
  const durations: number[] = [];
  for (let at = 0; at < 3 * count; at += 1) {
    const one = tabs.nth(at % count);
    const ms = await measureUntilPaint(page, 'pointerdown', () => one.click());
    if (at >= count) durations.push(ms);
    await page.locator('h1:visible').waitFor();
  }
  await page.goto(POSITION_LIST);
  await rows(page).first().waitFor();
  return { name: `switch between ${count} tabs`, ...compareWith(durations, 100), against: 'target' };
}

/** Changes the theme back and forth while ten tabs are mounted. */
async function measureThemeSwitch(page: Page): Promise<Figure> {
  await mountAllTabs(page);
  const durations: number[] = [];
  for (let at = 0; at < 2 * ROUNDS; at += 1) durations.push(await measureThemeChange(page));
  await page.goto(POSITION_LIST);
  await rows(page).first().waitFor();
  return { name: 'change the theme of ten tabs', ...compareWith(durations, 100), against: 'target' };
}

/** Growth of the heap by 100 tab switches. */
async function measureHeap(page: Page): Promise<Figure> {
  await mountAllTabs(page);
  const devtools = await page.context().newCDPSession(page);
  const readHeap = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  const before = await readHeap();
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  const count = await tabs.count();
  for (let at = 0; at < 100; at += 1) {
    await tabs.nth(at % count).click();
    await page.locator('h1:visible').waitFor();
  }
  const growth = Math.max(0, (await readHeap()) - before);
  await page.goto(POSITION_LIST);
  await rows(page).first().waitFor();
  const detail = `from ${before.toFixed(0)} MB`;
  return { name: 'heap after 100 tab switches', unit: 'MB', ours: growth, limit: 6, against: 'target', detail };
}

async function mountAllTabs(page: Page): Promise<void> {
  for (const tab of await page.getByRole('tablist').first().getByRole('tab').all()) {
    await tab.click();
    await page.locator('h1:visible').waitFor();
  }
}

async function measureTyping(page: Page): Promise<Figure> {
  await page.getByRole('search').getByLabel('账号').click();
  const durations: number[] = [];
  for (const key of 'desk.bench.and.more')
    durations.push(await measureUntilPaint(page, 'keydown', () => page.keyboard.press(key)));
  return { name: 'type into a filter', ...compareWith(durations, 50), against: 'target' };
}

/** Scrolls down and up with the wheel, one notch per frame. */
async function measureScrolling(page: Page): Promise<Figure> {
  await rows(page).nth(3).hover();
  const frames = await recordFrames(page, async () => {
    for (let at = 0; at < 240; at += 1) {
      await page.mouse.wheel(0, at < 120 ? 60 : -60);
      await page.waitForTimeout(FRAME_MS);
    }
  });
  const fps = (1000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0);
  const detail = `longest frame ${Math.max(...frames).toFixed(0)} ms`;
  return {
    name: `scroll ${ROWS} rows`,
    unit: 'frames/s',
    ours: fps,
    limit: 60,
    against: 'display',
    goal: '≥ 55',
    detail,
  };
}

/** Sends a new price every second, so that each background refresh changes every row. */
async function measureRefresh(page: Page, port: number): Promise<Figure> {
  let answers = 0;
  page.on('response', (response) => {
    if (response.url().includes('future/order/list')) answers += 1;
  });
  const frames = await recordFrames(page, async () => {
    for (const until = Date.now() + WATCHED_MS; Date.now() < until; await page.waitForTimeout(1_000)) {
      await sendEvents(port, [tick()]);
    }
  });
  ensure(answers > 0, 'the list was not refreshed');
  const slow = frames.filter((ms) => ms > 50).length;
  const detail = `${answers} refreshes, ${frames.length} frames, ${slow} over 50 ms`;
  const ours = Math.max(...frames);
  return {
    name: `refresh ${ROWS} of ${POSITIONS} positions, longest frame`,
    unit: 'ms',
    ours,
    limit: 50,
    against: 'target',
    detail,
  };
}

async function measureFirstLoads(currentBrowser: Browser, session: Session): Promise<Figure[]> {
  const pages = [
    { name: 'login, phone', path: '/login', readySelector: 'form', device: PHONE },
    { name: 'login', path: '/login', readySelector: 'form', device: DESK },
    { name: 'home', path: '/home', readySelector: 'h1', device: DESK, session },
    { name: 'list', path: '/withdraw', readySelector: '.ht-table-list', device: DESK, session },
  ];
  const figures: Figure[] = [];
  for (const { name, path, readySelector, device, ...rest } of pages) {
    const loads: FirstLoad[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await openWindow(currentBrowser, url, rest.session);
      loads.push(await measureFirstLoad(context, path, readySelector, device));
      await context.close();
    }
    const medianOf = (key: keyof FirstLoad): number => median(loads.map((load) => load[key]));
    figures.push(
      { name: `${name}: largest paint`, unit: 'ms', ours: medianOf('lcp'), limit: 2_500, against: 'good' },
      { name: `${name}: blocked`, unit: 'ms', ours: medianOf('tbt'), limit: 200, against: 'good' },
      { name: `${name}: shift`, unit: '', ours: medianOf('cls'), limit: 0.1, against: 'good' },
    );
  }
  return figures;
}

function compareWith(durations: readonly number[], limit: number) {
  const sorted = durations.toSorted((a, b) => a - b);
  const detail = `slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms of ${sorted.length}`;
  return { unit: 'ms', ours: median(durations), limit, detail };
}
