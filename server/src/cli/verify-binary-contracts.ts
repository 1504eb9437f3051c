import { openPool } from '../postgres/connect.ts';
import { EXIT, writeLine } from './exit.ts';
import { checkBinaryContracts } from '../modules/binary-contract/binary-contract-check.store.ts';

/** Recomputes every ended binary contract from the recorded ticks, and prints the discrepancies. */
export async function verifyBinaryContracts(url: string): Promise<number> {
  const settings = { 'app.scope': 'all', jit: 'off' };
  const { db, end } = openPool({
    url,
    max: 1,
    name: 'hengtai-seconds',
    settings,
    onError: () => undefined,
  });
  try {
    const { checked, discrepancies } = await checkBinaryContracts(db);
    for (const { id, no, what } of discrepancies) writeLine(`#${id} ${no}: ${what}`);
    writeLine(
      discrepancies.length === 0
        ? `All ${checked} ended contracts match the tick record.`
        : `${discrepancies.length} of ${checked} contracts DIFFER from the tick record (see above).`,
    );
    return discrepancies.length === 0 ? EXIT.done : EXIT.refused;
  } finally {
    await end();
  }
}
