import { checkBinaryContracts } from '../domains/trading/binary-contract/binary-contract-check.store.ts';
import { writeLine } from './exit.ts';
import { runCheck } from './run-check.ts';

/** Recomputes every ended binary contract from the recorded ticks, and prints the discrepancies. */
export const verifyBinaryContracts = (url: string): Promise<number> =>
  runCheck(url, 'hengtai-seconds', async (db) => {
    const { checked, discrepancies } = await checkBinaryContracts(db);
    for (const { id, no, what } of discrepancies) writeLine(`#${id} ${no}: ${what}`);
    writeLine(
      discrepancies.length === 0
        ? `All ${checked} ended contracts match the tick record.`
        : `${discrepancies.length} of ${checked} contracts DIFFER from the tick record (see above).`,
    );
    return discrepancies.length === 0;
  });
