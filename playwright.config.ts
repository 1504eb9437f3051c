import { defineConfig } from '@playwright/test';

// Set by the global set-up, before the workers read this file.
const baseURL = process.env['E2E_BASE_URL'];

export default defineConfig({
  testDir: 'console/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './console/e2e/server.ts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: 'test-results',
  use: {
    ...(baseURL ? { baseURL } : {}),
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // A recording of every step costs a third of the time; it is made where somebody looks for a fault.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
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
