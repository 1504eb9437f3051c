import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Set by the global set-up, before the workers read this file.
const baseURL = process.env['E2E_BASE_URL'];

// The one without a window, where there is one: it has less to do.
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const chromium = process.env['CHROMIUM_PATH'] ?? browsers.find((path) => existsSync(path));

export default defineConfig({
  testDir: 'console/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './console/e2e/server.ts',
  // One for each core; what they share is one installation, as operators do.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // A machine of which nothing else is known may stand still for seconds. What passes only then is named as unsteady.
  retries: process.env['CI'] ? 1 : 0,
  // Only what hangs meets it: the machine may have other work.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  use: {
    // Storage, routes and init scripts are cleared between tests; the renderer and its compiled scripts stay warm.
    reuseContext: true,
    ...(baseURL ? { baseURL } : {}),
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // What moves cannot be pressed for certain; that nothing moves then is itself a promise.
    contextOptions: { reducedMotion: 'reduce' },
    // A recording of every step costs a third of the time; it is made where somebody looks for a fault.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
