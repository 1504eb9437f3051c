import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/** The encrypted secret of an operator's codes. */
export async function findSecret(db: Db, operatorId: number): Promise<string | undefined> {
  const { rows } = await sql<{ secret: string }>`select secret from otp where operator_id = ${operatorId}`.execute(db);
  return rows[0]?.secret;
}

/** Inserts a secret, or replaces one that was not confirmed. */
export async function putSecret(
  db: Db,
  operatorId: number,
  { secret, keyId }: { secret: string; keyId: string },
  now: number,
): Promise<void> {
  await sql`
    insert into otp (operator_id, secret, key_id, created_at) values (${operatorId}, ${secret}, ${keyId}, ${now})
    on conflict (operator_id) do update
    set secret = excluded.secret, key_id = excluded.key_id, last_step = 0, created_at = excluded.created_at`.execute(
    db,
  );
}

/** Accepts the code of a time step; false when a code of this or a later step was accepted before. */
export async function takeStep(db: Db, operatorId: number, step: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update otp set last_step = ${step} where operator_id = ${operatorId} and last_step < ${step}`.execute(db);
  return numAffectedRows === 1n;
}

/** Uses a recovery code once; false when it is unknown or was used before. Each key has its own hash of a code. */
export async function takeRecoveryCode(
  db: Db,
  operatorId: number,
  hashes: readonly string[],
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update otp_recovery set used_at = ${now}
    where operator_id = ${operatorId} and hash = any(${[...hashes]}::text[]) and used_at is null`.execute(db);
  return numAffectedRows === 1n;
}

export async function replaceRecoveryCodes(
  db: Db,
  operatorId: number,
  { hashes, keyId }: { hashes: readonly string[]; keyId: string },
  now: number,
): Promise<void> {
  await sql`delete from otp_recovery where operator_id = ${operatorId}`.execute(db);
  await sql`insert into otp_recovery (operator_id, hash, key_id, created_at)
    select ${operatorId}, hash, ${keyId}, ${now} from unnest(${[...hashes]}::text[]) as hash`.execute(db);
}

export async function dropSecret(db: Db, operatorId: number): Promise<void> {
  await sql`delete from otp_recovery where operator_id = ${operatorId}`.execute(db);
  await sql`delete from otp where operator_id = ${operatorId}`.execute(db);
}

export async function setOtpSince(db: Db, operatorId: number, since: number | null, now: number): Promise<void> {
  await sql`update agent set otp_since = ${since}, updated_at = ${now} where id = ${operatorId}`.execute(db);
}

/** Turns codes off for an operator who lost the authenticator; false when they were off. */
export async function resetOtp(db: Db, operatorId: number, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update agent set otp_since = null, updated_at = ${now}
    where id = ${operatorId} and otp_since is not null and deleted_at is null`.execute(db);
  return numAffectedRows === 1n;
}

export async function findOtpState(
  db: Db,
  operatorId: number,
  sessionId: number,
): Promise<{ since: number | null; recovery: number; freshAt: number | null }> {
  const { rows } = await sql<{ since: number | null; recovery: number; freshAt: number | null }>`
    select a.otp_since as since,
      (select count(*) from otp_recovery r where r.operator_id = a.id and r.used_at is null) as recovery,
      (select s.fresh_at from session s where s.id = ${sessionId}) as "freshAt"
    from agent a where a.id = ${operatorId}`.execute(db);
  return rows[0] ?? { since: null, recovery: 0, freshAt: null };
}
