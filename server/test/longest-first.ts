import { createHash } from 'node:crypto';
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
  'server/src/books/lists/counters.test.ts',
  'server/test/gateway-client-model.test.ts',
  'server/test/keys.test.ts',
  'server/test/upgrade.test.ts',
  'server/src/embedded/embedded.test.ts',
  'server/test/crash.test.ts',
  'server/src/cli/hengtai.test.ts',
  'server/test/rls-book.test.ts',
  'simulator/src/run.test.ts',
  'server/src/domains/funds/withdraw/withdraw.test.ts',
  'server/test/event-model.test.ts',
  'server/src/backup/backup.test.ts',
  'server/test/spot-soak.test.ts',
  'server/test/release.test.ts',
  'server/src/books/audit/heads.test.ts',
  'server/test/rls-tables.test.ts',
  'simulator/src/simulation.test.ts',
  'server/src/realtime/stream.test.ts',
  'server/src/authority/authority.test.ts',
  'server/test/revoked-body.test.ts',
  'server/test/gateway-openapi.test.ts',
  'server/test/releases/releases.test.ts',
  'server/test/channel-crash.test.ts',
  'server/src/programs/lease.test.ts',
  'server/src/books/lists/user-sums.test.ts',
  'server/test/binary-contract-crash.test.ts',
];

/** A worker ends when the next file is of another group, so each group runs at once. */
const groupOf = (path: string, project: string): number =>
  path.startsWith('console/') ? 2 : project === 'pure' ? 1 : 0;

/** Decides the order of files at random, but equally for the same seed. */
const drawOf = (path: string, seed: number): number =>
  createHash('sha256').update(`${seed} ${path}`).digest().readUInt32BE();

/** Starts the slowest files of a group first, so that no worker idles at the end; with TEST_ORDER=random two of five seeds order its files at random. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const isRandom = process.env['TEST_ORDER'] === 'random' && sequence.seed % 5 < 2;
    const ordered = (await super.sort(files)).map((file, index) => {
      const path = relative(root, file.moduleId).replaceAll('\\', '/');
      const listed = LONGEST.indexOf(path);
      const place = listed < 0 ? LONGEST.length + index : listed;
      return { file, group: groupOf(path, file.project.name), place: isRandom ? drawOf(path, sequence.seed) : place };
    });
    return ordered.toSorted((a, b) => a.group - b.group || a.place - b.place).map(({ file }) => file);
  }
}
