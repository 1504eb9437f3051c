import { openPool } from '../db/connect.ts';
import { readEnv } from '../env.ts';
import { describeDiscrepancy, findHoldDiscrepancies } from './hold-check.ts';
import { correctDust } from './hold-correct.ts';

const RELEASE = '--release-dust';

/**
 * `npm run holds:check`: names every frozen balance that differs from what open records hold. Exit code 0: none differs;
 * 1: some do; 2: the check could not run. With `--release-dust`, rounding errors of ended records are corrected first.
 */
async function main(): Promise<number> {
  const { databaseUrl } = readEnv(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL is not set.');
  const unknown = process.argv.slice(2).find((argument) => argument !== RELEASE);
  if (unknown !== undefined) throw new Error(`Unknown argument ${unknown}. Usage: npm run holds:check [-- ${RELEASE}]`);
  const settings = { 'app.scope': 'all', jit: 'off' };
  const { db, end } = openPool({
    url: databaseUrl,
    max: 1,
    name: 'hengtai-holds',
    settings,
    onError: () => undefined,
  });
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    if (process.argv.includes(RELEASE)) {
      for (const { fault, released, problem } of await correctDust(db, await findHoldDiscrepancies(db), Date.now())) {
        write(
          `${problem === null ? `corrected ${released}` : `NOT corrected, ${problem}`}: ${describeDiscrepancy(fault)}`,
        );
      }
    }
    const faults = await findHoldDiscrepancies(db);
    for (const fault of faults) write(describeDiscrepancy(fault));
    write(
      faults.length === 0
        ? 'Every frozen balance is the sum of what open records hold.'
        : `${faults.length} DIFFERENCES between frozen balances and open records (see above).`,
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    await end();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
