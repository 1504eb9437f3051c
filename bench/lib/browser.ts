/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page, chromium } from '@playwright/test';
import type { Session } from './child.ts';

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const path = process.env['CHROMIUM_PATH'] ?? PLACES.find((one) => existsSync(one));
const LAUNCHED = { ...(path ? { executablePath: path } : {}), args: ARGS };

/** The browser of the browser tests. */
export const openBrowser = (): Promise<Browser> => chromium.launch(LAUNCHED);

/** The same with a profile of its own, whom another program may tell through this port what to open. */
export const openProfile = (directory: string, port: number): Promise<BrowserContext> =>
  chromium.launchPersistentContext(directory, {
    ...LAUNCHED,
    args: [...ARGS, `--remote-debugging-port=${port}`],
    viewport: null,
    locale: 'zh-CN',
  });

/** Whatever this context opens is at work already. */
export const atWorkIn = (context: BrowserContext, session: Session): Promise<unknown> =>
  context.addInitScript((kept) => {
    if (!localStorage.getItem('hengtai.session')) localStorage.setItem('hengtai.session', kept);
  }, JSON.stringify(session));

/** A window as an operator's: nothing cached, at work already where a session is given. */
export async function openWindow(browser: Browser, baseURL: string, session?: Session): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  });
  // What runs this file names the functions that it hands to the page by a helper that the page does not have.
  await context.addInitScript('globalThis.__name ??= (named) => named');
  if (session) await atWorkIn(context, session);
  return context;
}

/** Milliseconds between the frames that a page draws while something is done. */
export async function framesOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    let on = true;
    const draw = (at: number): void => {
      frames.push(at - last);
      last = at;
      if (on) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    Object.assign(globalThis, { framesDrawn: () => ((on = false), frames) });
  });
  await act();
  const frames = await page.evaluate(() => (globalThis as unknown as { framesDrawn: () => number[] }).framesDrawn());
  // The first one began before anything was done.
  return frames.slice(1);
}

/** Milliseconds from what an input event does until its frame is drawn. */
export async function untilDrawn(
  page: Page,
  event: 'keydown' | 'pointerdown',
  act: () => Promise<void>,
): Promise<number> {
  const drawn = page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const begun = ({ timeStamp }: Event): void => {
          // After the frame: a message is handled when it has been drawn.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve(performance.now() - timeStamp), { once: true });
            port1.start();
            port2.postMessage(null);
          });
        };
        document.addEventListener(name, begun, { once: true, capture: true });
      }),
    event,
  );
  // The listener stands before anything is pressed.
  await page.evaluate(() => undefined);
  await act();
  return drawn;
}

const CALM_MS = 2_000;

export interface FirstLoad {
  /** Milliseconds until the largest thing in sight was drawn. */
  lcp: number;
  /** Milliseconds by which tasks kept the page from answering for more than 50 each. */
  tbt: number;
  cls: number;
}

export interface Device {
  /** The processor is so many times slower. */
  slower: number;
  /** Kilobits a second and milliseconds there and back; undefined is the line as it is. */
  line?: { kbps: number; rtt: number };
}

/** Opens an address in a window that has nothing cached, and waits until it is calm. */
export async function firstLoad(
  context: BrowserContext,
  path: string,
  calm: string,
  device: Device,
): Promise<FirstLoad> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: device.slower });
  if (device.line) {
    const throughput = (device.line.kbps * 1024) / 8;
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: device.line.rtt,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  await page.addInitScript(() => {
    const seen = { lcp: 0, tbt: 0, cls: 0 };
    Object.assign(globalThis, { firstLoad: seen });
    const watch = (type: string, heard: (entry: PerformanceEntry) => void): void =>
      new PerformanceObserver((list) => list.getEntries().forEach(heard)).observe({ type, buffered: true });
    watch('largest-contentful-paint', ({ startTime }) => (seen.lcp = startTime));
    watch('longtask', ({ duration }) => (seen.tbt += Math.max(0, duration - 50)));
    watch('layout-shift', (entry) => (seen.cls += (entry as PerformanceEntry & { value: number }).value));
  });
  await page.goto(path);
  await page.locator(calm).first().waitFor();
  // The stream of news never ends, so the line is never idle: calm is when nothing more has come for a while.
  await page.waitForFunction((ms) => {
    const ends = performance.getEntriesByType('resource').map(({ startTime, duration }) => startTime + duration);
    return performance.now() - Math.max(0, ...ends) > ms;
  }, CALM_MS);
  const found = await page.evaluate(() => (globalThis as unknown as { firstLoad: FirstLoad }).firstLoad);
  await page.close();
  return found;
}
