import { openPool } from '../postgres/connect.ts';
import { readEnv } from './env.ts';
import { checkBinaryContracts } from '../modules/binary-contract/binary-contract-check.store.ts';

/** `npm run seconds:check`: recomputes every ended contract from the recorded ticks; exits with 1 and lists discrepancies. */
async function main(): Promise<number> {
  const { databaseUrl } = readEnv(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL is not set. Set it to the address of the database to check.');
  const settings = { 'app.scope': 'all', jit: 'off' };
  const { db, end } = openPool({
    url: databaseUrl,
    max: 1,
    name: 'hengtai-seconds',
    settings,
    onError: () => undefined,
  });
  try {
    const { checked, discrepancies } = await checkBinaryContracts(db);
    for (const { id, no, what } of discrepancies) process.stdout.write(`#${id} ${no}: ${what}\n`);
    process.stdout.write(
      discrepancies.length === 0
        ? `All ${checked} ended contracts match the tick record.\n`
        : `${discrepancies.length} of ${checked} contracts DIFFER from the tick record (see above).\n`,
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
