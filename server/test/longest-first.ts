import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first. File size is no indicator of duration. */
const LONGEST: readonly string[] = [
  'server/test/matrix-roles.test.ts',
  'server/test/rls.test.ts',
  'server/test/input.test.ts',
  'server/src/supervisor/supervisor.test.ts',
  'server/test/matrix.test.ts',
  'conformance/test/conformance.test.ts',
  'server/test/four-eyes-model.test.ts',
  'server/src/lists/counters.test.ts',
  'server/test/gateway-client-model.test.ts',
  'server/test/keys.test.ts',
  'server/test/upgrade.test.ts',
  'server/src/postgres/embedded.test.ts',
  'server/test/crash.test.ts',
  'server/test/rls-roles.test.ts',
  'server/src/cli/hengtai.test.ts',
  'server/test/rls-book.test.ts',
  'simulator/src/run.test.ts',
  'server/src/modules/withdraw/withdraw.test.ts',
  'server/test/event-model.test.ts',
  'server/src/backup/backup.test.ts',
  'server/test/spot-soak.test.ts',
  'server/test/release.test.ts',
  'server/src/audit/heads.test.ts',
  'server/test/rls-tables.test.ts',
  'simulator/src/simulation.test.ts',
  'server/src/realtime/stream.test.ts',
  'server/src/actions/authority.test.ts',
  'server/test/revoked-body.test.ts',
  'server/test/gateway-openapi.test.ts',
  'server/test/releases/releases.test.ts',
  'server/test/channel-crash.test.ts',
  'server/src/programs/lease.test.ts',
  'server/src/lists/user-sums.test.ts',
  'server/test/binary-contract-crash.test.ts',
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
