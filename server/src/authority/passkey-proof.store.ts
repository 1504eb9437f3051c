import { FRESH_MINUTES } from '@hengtai/contract/house/otp/calls';
import { sql } from 'kysely';
import type { Db } from '../database/connect.ts';

interface Proof {
  sessionId: number;
  digest: string;
  operatorId: number;
  now: number;
}

/** Records that a passkey confirmed a call of a session. */
export async function addProof(db: Db, { sessionId, digest, operatorId, now }: Proof): Promise<void> {
  const expiresAt = now + FRESH_MINUTES * 60_000;
  await sql`insert into passkey_proof (session_id, digest, operator_id, expires_at)
    values (${sessionId}, ${digest}, ${operatorId}, ${expiresAt})
    on conflict (session_id, digest) do update set expires_at = excluded.expires_at`.execute(db);
}

export async function hasProof(db: Db, sessionId: number, digest: string, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from passkey_proof
    where session_id = ${sessionId} and digest = ${digest} and expires_at > ${now}`.execute(db);
  return rows.length === 1;
}

/** Uses up the confirmation of a call that no idempotency key limits to one effect. */
export async function takeProof(db: Db, sessionId: number, digest: string, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from passkey_proof
    where session_id = ${sessionId} and digest = ${digest} and expires_at > ${now}`.execute(db);
  return numAffectedRows === 1n;
}
