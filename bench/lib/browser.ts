/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page, chromium } from '@playwright/test';
import type { Session } from './child.ts';

const CHROMIUM_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const path = process.env['CHROMIUM_PATH'] ?? CHROMIUM_PATHS.find((one) => existsSync(one));
const LAUNCH_OPTIONS = { ...(path ? { executablePath: path } : {}), args: ARGS };

/** Launches the browser of the browser tests. */
export const openBrowser = (): Promise<Browser> => chromium.launch(LAUNCH_OPTIONS);

/** Launches the browser with its own profile; another program controls it through the debugging port. */
export const openProfile = (directory: string, port: number): Promise<BrowserContext> =>
  chromium.launchPersistentContext(directory, {
    ...LAUNCH_OPTIONS,
    args: [...ARGS, `--remote-debugging-port=${port}`],
    viewport: null,
    locale: 'zh-CN',
  });

/** Stores a session in every page of this context, so that pages open logged in. */
export const logInContext = (context: BrowserContext, session: Session): Promise<unknown> =>
  context.addInitScript((stored) => {
    if (!localStorage.getItem('hengtai.session')) localStorage.setItem('hengtai.session', stored);
  }, JSON.stringify(session));

/** Opens an operator's window with an empty cache, logged in if a session is given. */
export async function openWindow(browser: Browser, baseURL: string, session?: Session): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  });
  // tsx wraps functions in its helper `__name`, which is undefined in the page.
  await context.addInitScript('globalThis.__name ??= (named) => named');
  if (session) await logInContext(context, session);
  return context;
}

/** Milliseconds between the frames of a page during an action. */
export async function recordFrames(page: Page, act: () => Promise<void>): Promise<number[]> {
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
  // The first frame began before the action.
  return frames.slice(1);
}

/** Milliseconds from an input event until the next frame is painted. */
export async function measureUntilPaint(
  page: Page,
  event: 'keydown' | 'pointerdown',
  act: () => Promise<void>,
): Promise<number> {
  const painted = page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const onEvent = ({ timeStamp }: Event): void => {
          // A message posted in the frame callback is handled after the paint.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve(performance.now() - timeStamp), { once: true });
            port1.start();
            port2.postMessage(null);
          });
        };
        document.addEventListener(name, onEvent, { once: true, capture: true });
      }),
    event,
  );
  // Waits until the listener is registered.
  await page.evaluate(() => undefined);
  await act();
  return painted;
}

/** Milliseconds from a change of the system theme until a frame with the other theme is painted. */
export async function measureThemeChange(page: Page): Promise<number> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const painted = page.evaluate(
    (before) =>
      new Promise<number>((resolve) => {
        const root = document.documentElement;
        const onChange = ({ timeStamp }: Event): void => {
          const draw = (): void => {
            if (root.dataset['theme'] === before) return void requestAnimationFrame(draw);
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve(performance.now() - timeStamp), { once: true });
            port1.start();
            port2.postMessage(null);
          };
          requestAnimationFrame(draw);
        };
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange, { once: true });
      }),
    isDark ? 'dark' : 'light',
  );
  await page.evaluate(() => undefined);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  return painted;
}

const IDLE_MS = 2_000;

export interface FirstLoad {
  /** Largest contentful paint, milliseconds. */
  lcp: number;
  /** Total blocking time: milliseconds of long tasks beyond 50 each. */
  tbt: number;
  /** Cumulative layout shift. */
  cls: number;
}

export interface Device {
  /** CPU slowdown factor. */
  cpuSlowdown: number;
  /** Kilobits per second and round-trip milliseconds; undefined: not throttled. */
  network?: { kbps: number; rtt: number };
}

/** Opens an address with an empty cache and waits until the page is idle. */
export async function measureFirstLoad(
  context: BrowserContext,
  path: string,
  readySelector: string,
  device: Device,
): Promise<FirstLoad> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: device.cpuSlowdown });
  if (device.network) {
    const throughput = (device.network.kbps * 1024) / 8;
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: device.network.rtt,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  await page.addInitScript(() => {
    const metrics = { lcp: 0, tbt: 0, cls: 0 };
    Object.assign(globalThis, { firstLoad: metrics });
    const watch = (type: string, onEntry: (entry: PerformanceEntry) => void): void =>
      new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
    watch('largest-contentful-paint', ({ startTime }) => (metrics.lcp = startTime));
    watch('longtask', ({ duration }) => (metrics.tbt += Math.max(0, duration - 50)));
    watch('layout-shift', (entry) => (metrics.cls += (entry as PerformanceEntry & { value: number }).value));
  });
  await page.goto(path);
  await page.locator(readySelector).first().waitFor();
  // The notification stream keeps the network busy forever, so idle means that no resource finished for a while.
  await page.waitForFunction((ms) => {
    const ends = performance.getEntriesByType('resource').map(({ startTime, duration }) => startTime + duration);
    return performance.now() - Math.max(0, ...ends) > ms;
  }, IDLE_MS);
  const firstLoad = await page.evaluate(() => (globalThis as unknown as { firstLoad: FirstLoad }).firstLoad);
  await page.close();
  return firstLoad;
}
