import { CHALLENGE_MINUTES, PASSKEY_ALONE, PASSKEY_ONLY } from '@hengtai/contract/house/passkey/calls';
import type { PasskeyRow } from '@hengtai/contract/house/passkey/schema';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/** A passkey as it is needed to verify an assertion. */
export interface StoredPasskey {
  id: number;
  operatorId: number;
  name: string;
  credentialId: string;
  /** COSE key, in base64. */
  publicKey: string;
  counter: number;
  rpId: string;
  userHandle: string;
  transports: string[];
}

const stored = sql`p.id, p.operator_id as "operatorId", p.name, p.credential_id as "credentialId",
  encode(p.public_key, 'base64') as "publicKey", p.counter, p.rp_id as "rpId", p.user_handle as "userHandle", p.transports`;

export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | undefined> {
  const { rows } = await sql<StoredPasskey>`
    select ${stored} from passkey p where p.credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

/** The account of the operator that a passkey belongs to. */
export async function findAccountOf(db: Db, credentialId: string): Promise<string | undefined> {
  const { rows } = await sql<{ account: string }>`
    select o.account from passkey p join agent o on o.id = p.operator_id
    where p.credential_id = ${credentialId} and o.deleted_at is null`.execute(db);
  return rows[0]?.account;
}

export async function fetchPasskeys(db: Db, operatorId: number): Promise<StoredPasskey[]> {
  const { rows } = await sql<StoredPasskey>`
    select ${stored} from passkey p where p.operator_id = ${operatorId} order by p.id`.execute(db);
  return rows;
}

/** @param rpId host name of the present address; null if it allows no passkeys */
export async function fetchPasskeyRows(db: Db, operatorId: number, rpId: string | null): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    select id, name, rp_id as address, coalesce(rp_id = ${rpId}::text, false) as usable, attachment, synced,
      user_agent as "userAgent", ip, created_at as "createdAt", last_used_at as "lastUsedAt", last_used_ip as "lastUsedIp"
    from passkey where operator_id = ${operatorId} order by id`.execute(db);
  return rows;
}

export interface NewPasskey extends Omit<StoredPasskey, 'id'> {
  attachment: string | null;
  isSynced: boolean;
  userAgent: string;
  ip: string;
  now: number;
}

/** @returns the id; undefined if the credential is stored already */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<number | undefined> {
  const { operatorId, name, credentialId, publicKey, counter, rpId, userHandle, transports } = passkey;
  const { rows } = await sql<{ id: number }>`
    insert into passkey (operator_id, name, credential_id, public_key, counter, rp_id, user_handle, transports, attachment,
      synced, user_agent, ip, created_at)
    values (${operatorId}, ${name}, ${credentialId}, ${Buffer.from(publicKey, 'base64')}, ${counter}, ${rpId}, ${userHandle},
      ${[...transports]}::text[], ${passkey.attachment}, ${passkey.isSynced ? 1 : 0}, ${passkey.userAgent}, ${passkey.ip},
      ${passkey.now})
    on conflict (credential_id) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

export async function renamePasskey(db: Db, operatorId: number, id: number, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update passkey set name = ${name} where id = ${id} and operator_id = ${operatorId}`.execute(db);
  return numAffectedRows === 1n;
}

/** @returns the name of the passkey; undefined if the operator has no such */
export async function deletePasskey(db: Db, operatorId: number, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from passkey where id = ${id} and operator_id = ${operatorId} returning name`.execute(db);
  return rows[0]?.name;
}

/** Deletes all passkeys of an operator and returns their names. */
export async function deletePasskeys(db: Db, operatorId: number, now: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    delete from passkey where operator_id = ${operatorId} returning name`.execute(db);
  if (rows.length > 0) await saveAddresses(db, operatorId, now);
  return rows.map(({ name }) => name);
}

/** Copies the addresses of an operator's passkeys to its row, which every request reads. */
export async function saveAddresses(db: Db, operatorId: number, now: number): Promise<void> {
  await sql`update agent set updated_at = ${now},
      passkey_rps = array(select distinct p.rp_id from passkey p where p.operator_id = ${operatorId} order by 1)
    where id = ${operatorId}`.execute(db);
}

/**
 * Records the use of a passkey, if its counter went up or the authenticator has none.
 *
 * @returns false if the counter did not go up, or the passkey was removed meanwhile
 */
export async function recordUse(
  db: Db,
  use: { id: number; operatorId: number; counter: number; ip: string; now: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update passkey set counter = ${use.counter}, last_used_at = ${use.now}, last_used_ip = ${use.ip}
    where id = ${use.id} and operator_id = ${use.operatorId}
      and (counter < ${use.counter} or (counter = 0 and ${use.counter}::bigint = 0))`.execute(db);
  return numAffectedRows === 1n;
}

/** What a challenge was made for. An assertion of it serves nothing else. */
export interface Purpose {
  purpose: 'login' | 'alone' | 'enrol' | 'fresh';
  operatorId: number | null;
  sessionId: number | null;
  digest: string | null;
}

/** Open challenges of an operator for one purpose; a further one replaces the oldest. */
const OPEN_CHALLENGES = 32;

/** Inserts a challenge and deletes expired ones. */
export async function addChallenge(db: Db, challenge: string, purpose: Purpose, now: number): Promise<void> {
  const { operatorId, sessionId, digest } = purpose;
  const expiresAt = now + CHALLENGE_MINUTES * 60_000;
  await sql`delete from passkey_challenge where expires_at <= ${now}`.execute(db);
  await sql`delete from passkey_challenge where challenge in (
    select challenge from passkey_challenge where operator_id = ${operatorId} and purpose = ${purpose.purpose}
    order by expires_at desc offset ${OPEN_CHALLENGES - 1})`.execute(db);
  await sql`insert into passkey_challenge (challenge, purpose, operator_id, session_id, digest, expires_at)
    values (${challenge}, ${purpose.purpose}, ${operatorId}, ${sessionId}, ${digest}, ${expiresAt})`.execute(db);
}

/** Takes a challenge away, whatever its answer turns out to be; undefined if it is unknown, answered or expired. */
export async function takeChallenge(db: Db, challenge: string, now: number): Promise<Purpose | undefined> {
  const { rows } = await sql<Purpose & { expiresAt: number }>`
    delete from passkey_challenge where challenge = ${challenge}
    returning purpose, operator_id as "operatorId", session_id as "sessionId", digest, expires_at as "expiresAt"`.execute(
    db,
  );
  const [taken] = rows;
  return taken && taken.expiresAt > now ? taken : undefined;
}

export async function findPasskeySettings(db: Db): Promise<{ only: boolean; alone: boolean }> {
  const { rows } = await sql<{ only: boolean; alone: boolean }>`
    select coalesce(bool_or(state = 1) filter (where key = ${PASSKEY_ONLY}), false) as only,
      coalesce(bool_or(state = 1) filter (where key = ${PASSKEY_ALONE}), false) as alone
    from config where key in (${PASSKEY_ONLY}, ${PASSKEY_ALONE})`.execute(db);
  return rows[0] ?? { only: false, alone: false };
}
