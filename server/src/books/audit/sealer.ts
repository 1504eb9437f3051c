import { sql } from 'kysely';
import type { App } from '../../app/context.ts';
import type { Db } from '../../database/connect.ts';
import { underLease } from '../../app/lease.store.ts';
import { type AuditFields, GENESIS, RULE, auditFields, sealHash } from './chain.ts';
import { type AuditKey, type SigningKey, fingerprintOf, listSigningKeys } from '../../host/audit-key.ts';
import { type Head, linkTo, signHead } from './head.ts';
import { copyHeads, findDisagreement, findLastHead, findNextKey, insertHead, readDatabaseClock } from './head.store.ts';
import { readEarlierHeads } from './heads.ts';

const BATCH = 2_000;

/**
 * Seals pending audit rows and signs a head over them, in one transaction. Reads the table of pending rows instead of "id
 * above the last", because a row with a lower id can be committed later. The lease allows one sealer at a time, and the
 * unique sequence number excludes a fork of the chain.
 *
 * @throws Error if the chain does not continue its signed heads; then nothing is sealed
 */
export async function sealPending(app: App): Promise<boolean> {
  const sealed = await underLease(app, 'seal', async (db) => {
    await copyHeads(app, db);
    return sealBatch(app, db);
  });
  if (sealed === undefined) return false;
  // Copies the new head after the commit: the copy of a rolled-back head would contradict the later chain.
  await underLease(app, 'seal', (db) => copyHeads(app, db));
  return sealed === BATCH;
}

/** @returns the number of sealed rows; undefined if there was nothing to do */
async function sealBatch(app: App, db: Db): Promise<number | undefined> {
  const { rows: pending } = await sql<{ id: number; fields: AuditFields }>`
    select a.id, ${auditFields} as fields from audit_pending p join audit a on a.id = p.audit_id
    order by a.id limit ${BATCH}`.execute(db);
  const head = await findLastHead(db);
  if (head && pending.length === 0) return undefined;
  const signer = await findSigner(db, app.auditKey, head);
  if (!signer)
    throw new Error(
      `The audit chain was signed with another key. Copy audit-key.json from the machine that signed it.`,
    );
  let last = await findLastSeal(db);
  if (head && (head.rows !== last.seq || head.hash !== last.hash))
    throw new Error(`The audit chain does not end at its last head, ${head.number}. Run npm run audit:verify.`);
  if (!head) await checkEarlierHeads(app, db);
  const seals = pending.map(({ id, fields }) => {
    const seq = last.seq + 1;
    last = { seq, hash: sealHash(RULE, seq, last.hash, fields) };
    return { ...last, id };
  });
  if (last.seq === 0) return undefined;
  await insertSeals(db, seals, app.clock.now());
  const at = await readDatabaseClock(db);
  const next = { number: (head?.number ?? 0) + 1, previous: linkTo(head), rows: last.seq, hash: last.hash, at };
  await insertHead(db, signHead(next, signer));
  return seals.length;
}

/**
 * The key of this installation that signs the head after `head`. A chain begins with the oldest, which also follows a lost
 * key.
 *
 * @returns undefined if this process does not hold it
 */
export async function findSigner(db: Db, key: AuditKey, head: Head | undefined): Promise<SigningKey | undefined> {
  const own = listSigningKeys(key);
  if (!head) return own[0];
  const next = await findNextKey(db, head);
  return (
    own.find(({ publicKey }) => publicKey === next) ??
    (key.replaces?.includes(fingerprintOf(next)) ? own[0] : undefined)
  );
}

async function findLastSeal(db: Db): Promise<{ seq: number; hash: string }> {
  const { rows } = await sql<{ seq: number; hash: string }>`
    select seq, hash from audit_seal order by seq desc limit 1`.execute(db);
  return rows[0] ?? { seq: 0, hash: GENESIS };
}

/** The first head certifies all rows before it, so they must agree with the heads of an earlier release. */
async function checkEarlierHeads({ auditDir, auditKey }: App, db: Db): Promise<void> {
  const head = await findDisagreement(db, await readEarlierHeads(auditDir, auditKey));
  if (head)
    throw new Error(
      `The audit chain differs from the signed head of row ${head.seq} in AUDIT_DIR. Run npm run audit:verify.`,
    );
}

async function insertSeals(
  db: Db,
  seals: readonly { seq: number; id: number; hash: string }[],
  now: number,
): Promise<void> {
  await sql`insert into audit_seal (seq, audit_id, rule, hash, sealed_at)
    select seq, audit_id, ${RULE}, hash, ${now}
    from unnest(${seals.map((seal) => seal.seq)}::bigint[], ${seals.map((seal) => seal.id)}::bigint[],
      ${seals.map((seal) => seal.hash)}::text[]) as s(seq, audit_id, hash)`.execute(db);
  await sql`delete from audit_pending where audit_id = any(${seals.map((seal) => seal.id)}::bigint[])`.execute(db);
}
