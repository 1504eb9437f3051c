import { parseArgs } from 'node:util';
import { openPool, runInScope } from '../postgres/connect.ts';
import { readEnv } from './env.ts';
import { findAuditKey, fingerprintOf } from '../core/audit-key.ts';
import type { Anchors } from '../audit/check.ts';
import { exportChain } from '../audit/export.ts';
import { readHeadLines } from '../audit/heads.ts';
import { loadAnchors, verifySnapshot } from '../audit/verify.ts';

const EXIT = { holds: 0, broken: 1, failed: 2, notAnchored: 3 } as const;

const options = {
  key: { type: 'string', multiple: true },
  heads: { type: 'string', multiple: true },
  export: { type: 'string' },
} as const;

/** `npm run audit:verify [-- --key <key>] [--heads <file>] [--export <file>]`: prints the verdict and the first bad row. */
async function main(): Promise<number> {
  const { values } = parseArgs({ args: process.argv.slice(2), options });
  const env = readEnv(process.env);
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set.');
  const anchors = await readAllAnchors(values, env);
  const { db, end } = openPool({ url: env.databaseUrl, max: 1, name: 'hengtai-verify', onError: () => undefined });
  try {
    const verdict = await runInScope(
      db,
      { kind: 'all' },
      0,
      async (snapshot) => {
        if (values.export !== undefined) await exportChain(snapshot, values.export);
        return verifySnapshot(snapshot, anchors);
      },
      'read',
    );
    const { sealed, pending, heads, copies } = verdict;
    const counts = `${sealed} sealed, ${pending} pending, ${heads} signed heads, ${copies} copies of heads`;
    if (verdict.ok) process.stdout.write(`The audit chain holds: ${counts}.\n`);
    else {
      const { seq, auditId, problem } = verdict.firstBad ?? { seq: 0, auditId: null, problem: '' };
      const name = verdict.anchored ? 'BROKEN' : 'NOT ANCHORED';
      process.stdout.write(
        `The audit chain is ${name} (${counts}). First bad row: seal ${seq}, audit ${auditId ?? '-'}: ${problem}\n`,
      );
    }
    if (verdict.ok) return EXIT.holds;
    return verdict.anchored ? EXIT.broken : EXIT.notAnchored;
  } finally {
    await end();
  }
}

/** Reads the anchors: `--key` replaces the key file, `--heads` adds to the copy in AUDIT_DIR. */
async function readAllAnchors(
  { key, heads = [] }: { key?: string[] | undefined; heads?: string[] | undefined },
  { dataDir, auditDir }: { dataDir: string; auditDir: string },
): Promise<Anchors> {
  const own = await loadAnchors(auditDir, findAuditKey(dataDir, auditDir));
  const keys = key?.map(toFingerprint) ?? own.keys;
  if (keys.length === 0) throw new Error('There is no audit-key.json in DATA_DIR: give the key with --key.');
  const otherCopies = await Promise.all(heads.map(readHeadLines));
  return { ...own, keys, copies: [...own.copies, ...otherCopies.flat()] };
}

/** Accepts a fingerprint, or a public key in base64. */
const toFingerprint = (text: string): string =>
  /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : fingerprintOf(text);

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return EXIT.failed;
});
