import { openPool } from '../db/connect.ts';
import { readEnv } from '../env.ts';
import { verifyChain } from './verify.ts';

/** `npm run audit:verify`: prints the verdict; exits with 1 and names the first bad row when the chain does not hold. */
async function main(): Promise<number> {
  const env = readEnv(process.env);
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set.');
  const { db, end } = openPool({ url: env.databaseUrl, max: 1, name: 'hengtai-verify', onError: () => undefined });
  try {
    const verdict = await verifyChain(db, env.auditDir);
    const counts = `${verdict.sealed} sealed, ${verdict.pending} pending, ${verdict.heads} signed heads`;
    if (verdict.ok) process.stdout.write(`The audit chain holds: ${counts}.\n`);
    else {
      const { seq, auditId, problem } = verdict.firstBad ?? { seq: 0, auditId: null, problem: '' };
      process.stdout.write(
        `The audit chain is BROKEN (${counts}). First bad row: seal ${seq}, audit ${auditId ?? '-'}: ${problem}\n`,
      );
    }
    return verdict.ok ? 0 : 1;
  } finally {
    await end();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
