import { readEnv } from './env.ts';
import { openPool } from '../postgres/connect.ts';
import { checkFundDays, rebuildFundDays } from '../modules/report/fund-day.store.ts';
import { checkCounters, rebuildCounters } from '../lists/counters.ts';

/**
 * `npm run counters:check`: compares the counters and the days of the fund report with the rows; exits with 1 and names the
 * differences. `--rebuild` recomputes them first.
 */
async function main(): Promise<number> {
  const { databaseUrl } = readEnv(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL is not set.');
  const settings = { 'app.scope': 'all', jit: 'off' };
  const { db, end } = openPool({
    url: databaseUrl,
    max: 1,
    name: 'hengtai-counters',
    settings,
    onError: () => undefined,
  });
  try {
    if (process.argv.includes('--rebuild')) {
      await rebuildCounters(db);
      await rebuildFundDays(db);
    }
    const differences = [...(await checkCounters(db)), ...(await checkFundDays(db))];
    for (const { table, place, counted, rows } of differences)
      process.stdout.write(
        `${table} ${place}: the counter says ${counted || 'nothing'}, the rows say ${rows || 'nothing'}\n`,
      );
    process.stdout.write(
      differences.length === 0
        ? 'The counters agree with every row.\n'
        : `The counters DIFFER from the rows (see above).\n`,
    );
    return differences.length === 0 ? 0 : 1;
  } finally {
    await end();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
