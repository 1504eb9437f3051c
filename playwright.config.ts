import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The global set-up sets it before the workers load this file.
const baseURL = process.env['E2E_BASE_URL'];

// Prefers the headless shell, which needs less CPU.
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const chromium = process.env['CHROMIUM_PATH'] ?? browsers.find((path) => existsSync(path));

/** The slowest files. They start first, so that no worker idles at the end. */
const LONGEST = [
  'agent.e2e.ts',
  'amount.e2e.ts',
  'asset.e2e.ts',
  'dialogs.e2e.ts',
  'export.e2e.ts',
  'home.e2e.ts',
  'list-table.e2e.ts',
  'list.e2e.ts',
  'signing.e2e.ts',
  'user-drawer.e2e.ts',
  'walk.e2e.ts',
  'withdraw.e2e.ts',
];

export default defineConfig({
  testDir: 'console/e2e',
  projects: [
    { name: 'longest', testMatch: LONGEST },
    { name: 'others', testMatch: '*.e2e.ts', testIgnore: LONGEST },
  ],
  globalSetup: './console/e2e/server.ts',
  // All workers share one installation.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  // Long enough that only a hung test reaches it, even on a busy machine.
  timeout: 240_000,
  // A page of a busy machine needs seconds to load.
  expect: { timeout: 20_000 },
  outputDir: 'test-results',
  use: {
    // Storage, routes and init scripts are cleared between tests.
    reuseContext: true,
    ...(baseURL ? { baseURL } : {}),
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // Clicks on moving elements are unreliable. This also tests that the console honours reduced motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing costs a third of the time, so it is enabled only for debugging.
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
        // One renderer per browser: pages start without a new process and with warm scripts.
        '--disable-site-isolation-trials',
        '--renderer-process-limit=1',
      ],
    },
  },
});
