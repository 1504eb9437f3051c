import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes by far the longest, the longest first; how long it takes does not show in the size of the file. */
const LONGEST: readonly string[] = [
  'server/test/walls.test.ts',
  'server/test/matrix-roles.test.ts',
  'server/test/walls-roles.test.ts',
  'server/test/input.test.ts',
  'server/src/supervisor/supervisor.test.ts',
  'server/test/matrix.test.ts',
  'simulator/src/simulation.test.ts',
  'server/test/crash.test.ts',
  'server/src/db/embedded.test.ts',
  'server/src/backup/backup.test.ts',
  'server/test/spot-soak.test.ts',
  'server/src/export/export-job.test.ts',
  'server/test/second-crash.test.ts',
  'simulator/src/run.test.ts',
];

/**
 * Begins with what takes longest, so that at the end no worker waits for another one. The console's come last, together:
 * a worker ends where the next file has another environment. All else is in vitest's own order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const path = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/');
      if (path.startsWith('console/')) return LONGEST.length + 1;
      const at = LONGEST.indexOf(path);
      return at < 0 ? LONGEST.length : at;
    };
    const ordered = await super.sort(files);
    return ordered.toSorted((a, b) => rank(a) - rank(b));
  }
}
