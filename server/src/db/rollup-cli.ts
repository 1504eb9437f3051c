import { readEnv } from '../env.ts';
import { openPool } from './connect.ts';
import { checkRollups } from './rollup-check.ts';
import { rebuildRollups } from './rollup-compact.ts';

/** `npm run rollups:check`: compares the rollups with the rows; exits with 1 and names the differences. `--rebuild` counts all anew first. */
async function main(): Promise<number> {
  const { databaseUrl } = readEnv(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL is not set.');
  const settings = { 'app.scope': 'all', jit: 'off' };
  const { db, end } = openPool({
    url: databaseUrl,
    max: 1,
    name: 'hengtai-rollups',
    settings,
    onError: () => undefined,
  });
  try {
    if (process.argv.includes('--rebuild')) await rebuildRollups(db);
    const differences = await checkRollups(db);
    for (const { noun, where, rollup, rows } of differences)
      process.stdout.write(
        `${noun} ${where}: the rollup says ${rollup || 'nothing'}, the rows say ${rows || 'nothing'}\n`,
      );
    process.stdout.write(
      differences.length === 0
        ? 'The rollups agree with every row.\n'
        : `The rollups DIFFER from the rows (see above).\n`,
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
