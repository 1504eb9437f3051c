import { existsSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of a test file, with the processes that it started and waited for, without PostgreSQL's. */
    cpu?: number;
  }
}

const STAT = '/proc/self/stat';
/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** CPU seconds of ended child processes; 0 on systems without /proc. Fields 16 and 17 of proc(5), which follow the name in brackets. */
function childSeconds(): number {
  if (!existsSync(STAT)) return 0;
  const fields = readFileSync(STAT, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

// Runs before each test file and after its own hooks.
const began = cpuSeconds();
// Vitest wants a pattern here, also for a context that nobody reads.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, { file }) => {
  file.meta.cpu = cpuSeconds() - began;
});
