import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/test/longest-first.ts';

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Only what hangs meets it: the widest searches take half a minute, and longer where the machine has other work.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // What a test waits for comes at once, or after what else the machine has to do.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          globalSetup: ['server/test/cluster.ts'],
          setupFiles: ['server/test/cheap-passwords.ts'],
          include: ['{contract,server,simulator,tidy}/**/*.test.ts'],
          // A worker reads the server's modules once, not once a file: what they keep belongs to an `App` or a `Db`.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'console', include: ['console/src/**/*.test.{ts,tsx}'] } },
    ],
  },
});
