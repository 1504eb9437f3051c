import { checkBinaryContracts } from '../modules/binary-contract/binary-contract-check.store.ts';
import { runCheck } from './check-cli.ts';

/** `npm run seconds:check`: recomputes every ended contract from the recorded ticks and lists discrepancies. */
await runCheck('hengtai-seconds', async (db, write) => {
  const { checked, discrepancies } = await checkBinaryContracts(db);
  for (const { id, no, what } of discrepancies) write(`#${id} ${no}: ${what}`);
  write(
    discrepancies.length === 0
      ? `All ${checked} ended contracts match the tick record.`
      : `${discrepancies.length} of ${checked} contracts DIFFER from the tick record (see above).`,
  );
  return discrepancies.length === 0;
});
