import { createPublicKey } from 'node:crypto';
import { openPool, runInScope } from '../database/connect.ts';
import type { Env } from '../programs/env.ts';
import { EXIT } from './exit.ts';
import { findAuditKey, fingerprintOf } from '../host/audit-key.ts';
import type { Anchors } from '../books/audit/check.ts';
import { exportChain } from '../books/audit/export.ts';
import { readHeadLines } from '../books/audit/heads.ts';
import { loadAnchors, verifySnapshot } from '../books/audit/verify.ts';

export interface AuditOptions {
  /** Fingerprints or public keys in base64, instead of the key in DATA_DIR. */
  key?: string[];
  /** Files with copies of heads, beside the one in AUDIT_DIR. */
  heads?: string[];
  /** File that receives the chain. */
  export?: string;
}

/** Prints the verdict on the audit chain and the first bad row. */
export async function verifyAudit(url: string, env: Env, values: AuditOptions): Promise<number> {
  const anchors = await readAllAnchors(values, env);
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-verify', onError: () => undefined });
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
    if (verdict.ok) return EXIT.done;
    return verdict.anchored ? EXIT.refused : EXIT.notAnchored;
  } finally {
    await end();
  }
}

/** Reads the anchors: `--key` replaces the key file, `--heads` adds to the copy in AUDIT_DIR. */
async function readAllAnchors({ key, heads = [] }: AuditOptions, { dataDir, auditDir }: Env): Promise<Anchors> {
  const own = await loadAnchors(auditDir, findAuditKey(dataDir, auditDir));
  const keys = key?.map(toFingerprint) ?? own.keys;
  if (keys.length === 0) throw new Error('There is no audit-key.json in DATA_DIR: give the key with --key.');
  const otherCopies = await Promise.all(heads.map(readHeadLines));
  // Without this, a wrong file would look like a confirmation.
  const empty = heads.find((_, index) => otherCopies[index]?.length === 0);
  if (empty !== undefined) throw new Error(`--heads ${empty} holds no signed heads: name a copy of audit-heads.jsonl.`);
  return { ...own, keys, copies: [...own.copies, ...otherCopies.flat()] };
}

/**
 * Accepts a fingerprint, or a public key in base64.
 *
 * @throws Error for another text, with which every chain would look broken
 */
function toFingerprint(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  try {
    createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    throw new Error(`--key ${text} is neither a fingerprint (64 hexadecimal digits) nor a public key in base64.`);
  }
  return fingerprintOf(text);
}
