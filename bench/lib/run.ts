import { type BenchDatabase, createBenchDatabase } from './database.ts';
import { type Figure, report } from './report.ts';

/** Timed rounds of each kind. A figure is their median. */
export const ROUNDS = 3;

/** Multiplies all volumes. BENCH_SCALE=0.05 is enough to check that a benchmark works. */
const scale = Number(process.env['BENCH_SCALE'] ?? '1');

/** A volume at this run's scale, rounded to a multiple of `step`. */
export const scaleCount = (count: number, step = 1): number =>
  Math.max(step, Math.round((count * scale) / step) * step);

export const logProgress = (message: string): void => void process.stderr.write(`  ${message}\n`);

/** Runs one benchmark on its own database, which is dropped even if the run fails or is interrupted. */
export async function bench(name: string, measure: (database: BenchDatabase) => Promise<Figure[]>): Promise<void> {
  logProgress(name);
  const database = await createBenchDatabase();
  const stop = (): void => {
    // Work in progress now loses its database.
    process.on('uncaughtException', () => undefined);
    void database.drop().finally(() => process.exit(130));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    report(await measure(database));
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await database.drop();
  }
}

/** Throws unless the condition holds: a figure counts only if the measured work was done correctly. */
export function ensure(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(`The measured work failed: ${problem}`);
}

/** Alternates rounds of several kinds, so that other load on the machine affects all of them. */
export async function runInterleaved(kinds: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) for (const kind of kinds) await kind();
}
