import { sql } from 'kysely';
import type { App } from '../context.ts';
import { underLease } from '../jobs/job.ts';
import { type AuditFields, GENESIS, RULE, auditFields, sealHash } from './chain.ts';
import { appendHead } from './heads.ts';

const BATCH = 2_000;

/**
 * Chains the audit rows that are not chained yet. It takes them from the list of pending rows and never by "id greater
 * than the last": a row with a lower id may be committed later. Two sealers at once could not both write the next number.
 */
export async function sealPending(app: App): Promise<boolean> {
  const now = app.clock.now();
  const sealed = await underLease(app, 'seal', async (db) => {
    const { rows: pending } = await sql<{ id: number; fields: AuditFields }>`
      select a.id, ${auditFields} as fields from audit_pending p join audit a on a.id = p.audit_id
      order by a.id limit ${BATCH}`.execute(db);
    if (pending.length === 0) return undefined;
    const { rows: last } = await sql<{ seq: number; hash: string }>`
      select seq, hash from audit_seal order by seq desc limit 1`.execute(db);
    let head = last[0] ?? { seq: 0, hash: GENESIS };
    const seals = pending.map(({ id, fields }) => {
      const seq = head.seq + 1;
      head = { seq, hash: sealHash(RULE, seq, head.hash, fields) };
      return { ...head, id };
    });
    await sql`insert into audit_seal (seq, audit_id, rule, hash, sealed_at)
      select seq, audit_id, ${RULE}, hash, ${now}
      from unnest(${seals.map((seal) => seal.seq)}::bigint[], ${seals.map((seal) => seal.id)}::bigint[],
        ${seals.map((seal) => seal.hash)}::text[]) as s(seq, audit_id, hash)`.execute(db);
    await sql`delete from audit_pending where audit_id = any(${seals.map((seal) => seal.id)}::bigint[])`.execute(db);
    return { head, more: seals.length === BATCH };
  });
  if (!sealed) return false;
  // After the commit: a head of something that was rolled back would accuse the chain that came instead.
  await appendHead(app.auditDir, { ...sealed.head, at: now });
  return sealed.more;
}
