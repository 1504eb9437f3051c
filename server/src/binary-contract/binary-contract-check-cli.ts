import { openPool } from '../db/connect.ts';
import { readEnv } from '../env.ts';
import { checkBinaryContracts } from './binary-contract-check.store.ts';

/** `npm run seconds:check`: replays the tick record over every contract that has ended; exits with 1 and names what differs. */
async function main(): Promise<number> {
  const { databaseUrl } = readEnv(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL is not set.');
  const settings = { 'app.scope': 'all', jit: 'off' };
  const { db, end } = openPool({
    url: databaseUrl,
    max: 1,
    name: 'hengtai-seconds',
    settings,
    onError: () => undefined,
  });
  try {
    const { checked, faults } = await checkBinaryContracts(db);
    for (const { id, no, what } of faults) process.stdout.write(`#${id} ${no}: ${what}\n`);
    process.stdout.write(
      faults.length === 0
        ? `All ${checked} ended contracts match the tick record.\n`
        : `${faults.length} of ${checked} contracts DIFFER from the tick record (see above).\n`,
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
