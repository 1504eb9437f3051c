import { checkCounters, rebuildCounters } from '../books/lists/counters.ts';
import { checkFundDays, rebuildFundDays } from '../domains/desk/report/fund-day.store.ts';
import { writeLine } from './exit.ts';
import { runCheck } from './run-check.ts';

/**
 * Compares the counters and the days of the fund report with the rows, and prints the differences.
 *
 * @param url of the owner, because the servers see counters only through their scope
 * @param options `rebuild` recomputes them first
 */
export const verifyCounters = (url: string, { rebuild = false }: { rebuild?: boolean }): Promise<number> =>
  runCheck(url, 'hengtai-counters', async (db) => {
    if (rebuild) {
      await rebuildCounters(db);
      await rebuildFundDays(db);
    }
    const differences = [...(await checkCounters(db)), ...(await checkFundDays(db))];
    for (const { table, place, counted, rows } of differences)
      writeLine(`${table} ${place}: the counter says ${counted || 'nothing'}, the rows say ${rows || 'nothing'}`);
    writeLine(
      differences.length === 0
        ? 'The counters agree with every row.'
        : 'The counters DIFFER from the rows (see above).',
    );
    return differences.length === 0;
  });
