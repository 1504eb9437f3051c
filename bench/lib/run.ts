import { type BenchDatabase, benchDatabase } from './database.ts';
import { type Figure, report } from './report.ts';

/** Timed rounds of each kind; the median of them is the figure. */
export const ROUNDS = 3;

/** Everything smaller by this factor, to see that a benchmark works: BENCH_SCALE=0.05. */
const scale = Number(process.env['BENCH_SCALE'] ?? '1');

/** A volume of the benchmark at this run's scale, in whole steps. */
export const scaled = (count: number, step = 1): number => Math.max(step, Math.round((count * scale) / step) * step);

export const say = (message: string): void => void process.stderr.write(`  ${message}\n`);

/** Runs one benchmark on a database of its own and leaves nothing behind, whether it ends, fails or is stopped. */
export async function bench(name: string, measure: (database: BenchDatabase) => Promise<Figure[]>): Promise<void> {
  say(name);
  const database = await benchDatabase();
  const stop = (): void => {
    // Whatever is under way loses its database now.
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

/** Work that a benchmark counts on must really have been done. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`The measured work was not done: ${what}`);
}

/** Rounds of several kinds in turns, so that what else happens on the machine falls on all alike. */
export async function interleaved(kinds: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) for (const kind of kinds) await kind();
}
