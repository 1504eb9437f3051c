import { sql } from 'kysely';
import type { App } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { underLease } from '../jobs/job.ts';
import { type AuditFields, GENESIS, RULE, auditFields, sealHash } from './chain.ts';
import { trustedKeys } from './audit-key.ts';
import { fingerprintOf, linkTo, signHead } from './head.ts';
import { copyHeads, findDisagreement, findLastHead, insertHead, readDatabaseClock } from './head.store.ts';
import { readEarlierHeads } from './heads.ts';

const BATCH = 2_000;

/**
 * Chains the audit rows that are not chained yet and signs a head over them, in one transaction. It takes them from the
 * list of pending rows and never by "id greater than the last": a row with a lower id may be committed later. Two
 * sealers at once could not both write the next number.
 */
export async function sealPending(app: App): Promise<boolean> {
  const sealed = await underLease(app, 'seal', async (db) => {
    await copyHeads(app, db);
    return sealBatch(app, db);
  });
  if (sealed === undefined) return false;
  // After the commit: a head of something that was rolled back would accuse the chain that came instead.
  await underLease(app, 'seal', (db) => copyHeads(app, db));
  return sealed === BATCH;
}

/** @returns how many rows were sealed; undefined where there was nothing to do */
async function sealBatch(app: App, db: Db): Promise<number | undefined> {
  const { rows: pending } = await sql<{ id: number; fields: AuditFields }>`
    select a.id, ${auditFields} as fields from audit_pending p join audit a on a.id = p.audit_id
    order by a.id limit ${BATCH}`.execute(db);
  const head = await findLastHead(db);
  if (head && pending.length === 0) return undefined;
  if (head && !trustedKeys(app.auditKey).includes(fingerprintOf(head.key)))
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
  await insertHead(db, signHead(next, app.auditKey));
  return seals.length;
}

async function findLastSeal(db: Db): Promise<{ seq: number; hash: string }> {
  const { rows } = await sql<{ seq: number; hash: string }>`
    select seq, hash from audit_seal order by seq desc limit 1`.execute(db);
  return rows[0] ?? { seq: 0, hash: GENESIS };
}

/** The first head vouches for all rows before it, so they must agree with what an earlier release has signed. */
async function checkEarlierHeads({ auditDir, auditKey }: App, db: Db): Promise<void> {
  const wrong = await findDisagreement(db, await readEarlierHeads(auditDir, auditKey));
  if (wrong) throw new Error(`The audit chain differs from the signed head of row ${wrong.seq} in AUDIT_DIR.`);
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
