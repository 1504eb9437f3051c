import { describeDiscrepancy, findHoldDiscrepancies } from '../ledger/hold-check.ts';
import { correctDust } from '../modules/asset/hold-correct.store.ts';
import { runCheck } from './check-cli.ts';

const RELEASE = '--release-dust';

/**
 * `npm run holds:check`: prints every frozen balance that differs from its open records. With `--release-dust` it first corrects
 * rounding errors of ended records.
 */
await runCheck('hengtai-holds', async (db, write) => {
  const unknown = process.argv.slice(2).find((argument) => argument !== RELEASE);
  if (unknown !== undefined) throw new Error(`Unknown argument ${unknown}. Usage: npm run holds:check [-- ${RELEASE}]`);
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
  return discrepancies.length === 0;
});
