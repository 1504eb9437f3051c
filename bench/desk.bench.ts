/**
 * What the console's operators feel, in Chromium itself against the built product: switching tabs, scrolling, typing into a
 * filter, a silent refresh of a live list, and the first load of a page with nothing cached. Limits are those of the
 * console's promises; of a first load those that the web's vitals call good. Needs `npm run build`.
 */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { admin, startInstallation } from '../console/e2e/server.ts';
import {
  type Device,
  type FirstLoad,
  firstLoad,
  framesOf,
  openBrowser,
  openWindow,
  untilDrawn,
} from './lib/browser.ts';
import { PLATFORM, type Session, callOnce, eventsRequest, sessionOf } from './lib/child.ts';
import { median } from './lib/load.ts';
import { type Figure, report } from './lib/report.ts';
import { must, say, scaled } from './lib/run.ts';

const ROWS = 200;
const POSITIONS = scaled(1_000, ROWS);
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
const FRAME = 1000 / 60;
const WATCHED_MS = scaled(16_000, 8_000);

const DESK: Device = { slower: 1 };
const PHONE: Device = { slower: 4, line: { kbps: 1_638, rtt: 150 } };

say('desk');
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
    const session = await sessionOf(port, admin);
    report([...(await atWork(browser, session, port)), ...(await firstLoads(browser, session))]);
  } finally {
    await browser.close();
  }
} finally {
  await stop();
}

async function tell(port: number, events: readonly { type: string; data: object }[]): Promise<void> {
  const sent = events.map((event) => ({ ...event, eventId: randomUUID(), at: Date.now() }));
  const { data } = await callOnce(port, eventsRequest(sent));
  const refused = (data as { result: string }[]).find(({ result }) => result !== 'applied');
  must(refused === undefined, JSON.stringify(refused));
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
  await tell(port, [
    { type: 'user.registered', data: { account } },
    { type: 'recharge.credited', data: { no: randomUUID(), ...credit } },
    { type: 'transfer.made', data: { no: randomUUID(), ...move } },
    tick(),
  ]);
  const order = { account, market: 'BTC', demo: 0, type: 2, leverage: 10, amount: '1', margin: '10000' };
  const nos = Array.from({ length: POSITIONS }, () => randomUUID());
  const placed = nos.map((no, i) => ({ type: 'position.placed', data: { no, ...order, side: 1 + (i % 2) } }));
  const opened = nos.map((no) => ({ type: 'position.opened', data: { no, price: '95500', fee: '0' } }));
  for (let i = 0; i < POSITIONS; i += ROWS) await tell(port, placed.slice(i, i + ROWS));
  for (let i = 0; i < POSITIONS; i += ROWS) await tell(port, opened.slice(i, i + ROWS));
}

function rows(page: Page) {
  return page.locator('.ht-page:visible [data-row-key]');
}

/** A console with ten tabs, the last of them the live list of positions. */
async function atWork(browserNow: Browser, session: Session, port: number): Promise<Figure[]> {
  const context = await openWindow(browserNow, url, session);
  const page = await context.newPage();
  for (const list of LISTS) {
    await page.goto(`/${list}`);
    await page.locator('h1:visible').waitFor();
  }
  await page.goto(POSITION_LIST);
  await rows(page).first().waitFor();
  const figures = [await tabSwitch(page), await typing(page), await scrolling(page), await refreshing(page, port)];
  await context.close();
  return figures;
}

/** Through all tabs once, so that each is mounted, and then through them again. */
async function tabSwitch(page: Page): Promise<Figure> {
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  const count = await tabs.count();
  must(count >= 10, `${count} tabs are open`);
  const took: number[] = [];
  for (let at = 0; at < 3 * count; at += 1) {
    const one = tabs.nth(at % count);
    const ms = await untilDrawn(page, 'pointerdown', () => one.click());
    if (at >= count) took.push(ms);
    await page.locator('h1:visible').waitFor();
  }
  await page.goto(POSITION_LIST);
  await rows(page).first().waitFor();
  return { name: `switch between ${count} tabs`, ...against(took, 100), against: 'promise' };
}

async function typing(page: Page): Promise<Figure> {
  await page.getByRole('search').getByLabel('账号').click();
  const took: number[] = [];
  for (const key of 'desk.bench.and.more') took.push(await untilDrawn(page, 'keydown', () => page.keyboard.press(key)));
  return { name: 'type into a filter', ...against(took, 50), against: 'promise' };
}

/** Down and up again by the wheel, a notch for each frame. */
async function scrolling(page: Page): Promise<Figure> {
  await rows(page).nth(3).hover();
  const frames = await framesOf(page, async () => {
    for (let at = 0; at < 240; at += 1) {
      await page.mouse.wheel(0, at < 120 ? 60 : -60);
      await page.waitForTimeout(FRAME);
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

/** Prices move every second, so that each silent refresh brings another value for every row. */
async function refreshing(page: Page, port: number): Promise<Figure> {
  let answers = 0;
  page.on('response', (response) => {
    if (response.url().includes('future/order/list')) answers += 1;
  });
  const longest = await framesOf(page, async () => {
    for (const until = Date.now() + WATCHED_MS; Date.now() < until; await page.waitForTimeout(1_000)) {
      await tell(port, [tick()]);
    }
  });
  must(answers > 0, 'the list was read again');
  const late = longest.filter((ms) => ms > 50).length;
  const detail = `${answers} refreshes, ${longest.length} frames, ${late} over 50 ms`;
  const ours = Math.max(...longest);
  return {
    name: `refresh ${ROWS} of ${POSITIONS} positions, longest frame`,
    unit: 'ms',
    ours,
    limit: 50,
    against: 'promise',
    detail,
  };
}

async function firstLoads(browserNow: Browser, session: Session): Promise<Figure[]> {
  const places = [
    { name: 'login, phone', path: '/login', calm: 'form', device: PHONE },
    { name: 'login', path: '/login', calm: 'form', device: DESK },
    { name: 'home', path: '/home', calm: 'h1', device: DESK, session },
    { name: 'list', path: '/withdraw', calm: '.ht-list', device: DESK, session },
  ];
  const figures: Figure[] = [];
  for (const { name, path, calm, device, ...who } of places) {
    const loads: FirstLoad[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await openWindow(browserNow, url, who.session);
      loads.push(await firstLoad(context, path, calm, device));
      await context.close();
    }
    const of = (key: keyof FirstLoad): number => median(loads.map((load) => load[key]));
    figures.push(
      { name: `${name}: largest paint`, unit: 'ms', ours: of('lcp'), limit: 2_500, against: 'good' },
      { name: `${name}: blocked`, unit: 'ms', ours: of('tbt'), limit: 200, against: 'good' },
      { name: `${name}: shift`, unit: '', ours: of('cls'), limit: 0.1, against: 'good' },
    );
  }
  return figures;
}

function against(took: readonly number[], limit: number) {
  const sorted = took.toSorted((a, b) => a - b);
  const detail = `slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms of ${sorted.length}`;
  return { unit: 'ms', ours: median(took), limit, detail };
}
