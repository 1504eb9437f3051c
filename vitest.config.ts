import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/test/longest-first.ts';
import { splitTestFiles } from './server/test/needs-cluster.ts';
import { recordStatements } from './server/test/statements/plugin.ts';
import { level } from './testing/level.ts';
import { TimesReporter } from './testing/times.ts';

const statements = process.env['TEST_STATEMENTS'];
const { database, pure } = splitTestFiles();

// `testing/seed.ts` hands the same seed to fast-check.
process.env['TEST_SEED'] ||= String(Date.now() % 2 ** 31);
const seed = Number(process.env['TEST_SEED']);
const isRandom = process.env['TEST_ORDER'] === 'random';

export default defineConfig({
  plugins: statements ? [recordStatements(statements)] : [],
  test: {
    projects: [
      { extends: true, test: { name: 'database', include: database, globalSetup: ['server/test/cluster.ts'] } },
      { extends: true, test: { name: 'pure', include: pure } },
    ],
    setupFiles: [
      'server/test/cheap-passwords.ts',
      'server/test/built-programs.ts',
      'testing/cpu.ts',
      'testing/seed.ts',
      ...(process.env['TEST_COVERED'] ? ['testing/covered.ts'] : []),
      ...(statements ? ['server/test/statements/record.ts'] : []),
    ],
    // `npm test` adds up the counts and times of both runners.
    reporters: process.env['TEST_TIMES'] ? ['default', 'json', new TimesReporter()] : ['default'],
    tags: [
      { name: 'full', description: 'Not in the short run.' },
      { name: 'sized', description: 'In the short run at a smaller size than in the full one.' },
      { name: 'soak', description: 'Once more in the long run, at its full size.' },
    ],
    // Long enough that only a hung test reaches them: the largest searches take half a minute on an idle machine.
    testTimeout: level === 'long' ? 1_800_000 : 180_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // A test waits for PostgreSQL a third of its time, so three workers keep two cores busy.
    maxWorkers: 3,
    // Of the only file with concurrent tests, which mostly wait.
    maxConcurrency: 10,
    // Loads modules once per worker instead of once per file; this is safe because server modules keep no state.
    isolate: false,
    sequence: { sequencer: LongestFirst, shuffle: { tests: isRandom, files: false }, seed },
  },
});
