import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['server/test/cluster.ts'],
    include: ['{contract,server,simulator,tidy}/**/*.test.ts', 'console/src/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Only what hangs meets it: the widest searches take half a minute, and longer where the machine has other work.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
  },
});
