import { openPool } from '../postgres/connect.ts';
import { readEnv } from './env.ts';
import { describeDiscrepancy, findHoldDiscrepancies } from '../ledger/hold-check.ts';
import { correctDust } from '../modules/asset/hold-correct.store.ts';

const RELEASE = '--release-dust';

/**
 * `npm run holds:check`: prints every frozen balance that differs from its open records. Exit code 0: no difference; 1:
 * differences; 2: the check could not run. With `--release-dust` it first corrects rounding errors of ended records.
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
      for (const correction of await correctDust(db, await findHoldDiscrepancies(db), Date.now())) {
        const { discrepancy, released, problem } = correction;
        const result = problem === null ? `corrected ${released}` : `NOT corrected, ${problem}`;
        write(`${result}: ${describeDiscrepancy(discrepancy)}`);
      }
    }
    const discrepancies = await findHoldDiscrepancies(db);
    for (const discrepancy of discrepancies) write(describeDiscrepancy(discrepancy));
    write(
      discrepancies.length === 0
        ? 'Every frozen balance is the sum of what open records hold.'
        : `${discrepancies.length} DIFFERENCES between frozen balances and open records (see above).`,
    );
    return discrepancies.length === 0 ? 0 : 1;
  } finally {
    await end();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
