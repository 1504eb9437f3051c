import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/test/longest-first.ts';

export default defineConfig({
  test: {
    globalSetup: ['server/test/cluster.ts'],
    setupFiles: ['server/test/cheap-passwords.ts'],
    include: ['{contract,server,simulator,tidy}/**/*.test.ts', 'console/src/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Only what hangs meets them: the widest searches take half a minute, the matrices ninety seconds in a hook, and several
    // times that where the machine has other work.
    testTimeout: 180_000,
    hookTimeout: 600_000,
    // What a test waits for comes at once, or after what else the machine has to do.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    maxWorkers: 2,
    // A worker reads the modules once, not once a file: what the server's keep belongs to an `App` or a `Db`.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
