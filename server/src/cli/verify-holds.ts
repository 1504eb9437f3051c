import { describeDiscrepancy, findHoldDiscrepancies } from '../books/ledger/hold-check.ts';
import { correctDust } from '../domains/funds/asset/hold-correct.store.ts';
import { writeLine } from './exit.ts';
import { runCheck } from './run-check.ts';

/**
 * Prints every frozen balance that differs from its open records.
 *
 * @param options `releaseDust` first corrects rounding errors of ended records
 */
export const verifyHolds = (url: string, { releaseDust = false }: { releaseDust?: boolean }): Promise<number> =>
  runCheck(url, 'hengtai-holds', async (db) => {
    if (releaseDust) {
      for (const correction of await correctDust(db, await findHoldDiscrepancies(db), Date.now())) {
        const { discrepancy, released, problem } = correction;
        const result = problem === null ? `corrected ${released}` : `NOT corrected, ${problem}`;
        writeLine(`${result}: ${describeDiscrepancy(discrepancy)}`);
      }
    }
    const discrepancies = await findHoldDiscrepancies(db);
    for (const discrepancy of discrepancies) writeLine(describeDiscrepancy(discrepancy));
    writeLine(
      discrepancies.length === 0
        ? 'Every frozen balance is the sum of what open records hold.'
        : `${discrepancies.length} DIFFERENCES between frozen balances and open records (see above).`,
    );
    return discrepancies.length === 0;
  });
