import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first. File size is no indicator of duration. */
const LONGEST: readonly string[] = [
  'server/src/lists/counters.test.ts',
  'server/src/supervisor/supervisor.test.ts',
  'server/src/postgres/embedded.test.ts',
  'server/test/rls.test.ts',
  'server/test/rls-roles.test.ts',
  'server/test/crash.test.ts',
  'server/test/matrix-roles.test.ts',
  'server/test/matrix.test.ts',
  'server/test/four-eyes-model.test.ts',
  'server/test/input.test.ts',
  'server/test/event-model.test.ts',
  'server/src/backup/backup.test.ts',
  'server/test/spot-soak.test.ts',
  'server/src/audit/heads.test.ts',
  'simulator/src/simulation.test.ts',
  'simulator/src/run.test.ts',
  'server/test/binary-contract-crash.test.ts',
  'server/test/processes.test.ts',
  'server/src/audit/tamper.test.ts',
  'server/src/lists/list.test.ts',
  'server/src/realtime/stream.test.ts',
  'server/src/modules/export/export-job.test.ts',
  'server/src/exports/export-process.test.ts',
];

/**
 * Starts the slowest files first, so that no worker idles at the end. Runs the console's files last and together,
 * because a worker ends when the next file needs another environment.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const path = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/');
      if (path.startsWith('console/')) return LONGEST.length + 1;
      const index = LONGEST.indexOf(path);
      return index < 0 ? LONGEST.length : index;
    };
    const ordered = await super.sort(files);
    return ordered.toSorted((a, b) => rank(a) - rank(b));
  }
}
