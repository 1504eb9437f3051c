import { sql } from 'kysely';
import { notifyCredential } from '../../../actions/credential-notification.store.ts';
import type { Db } from '../../../database/connect.ts';

export interface Credentials {
  id: number;
  account: string;
  passwordHash: string | null;
  state: number;
  top: boolean;
  abilities: number[];
}

export async function findCredentials(db: Db, account: string): Promise<Credentials | undefined> {
  const { rows } = await sql<Credentials>`
    select id, account, password_hash as "passwordHash", state, parent_id is null as top, abilities from agent
    where account_key = lower(${account}) and deleted_at is null`.execute(db);
  return rows[0];
}

/** The second factors of an operator whose row is locked. */
export interface LockedOperator {
  otpSince: number | null;
  /** Host names of the addresses that it has passkeys for. */
  passkeyRps: string[];
}

/**
 * Locks an operator until the transaction ends, so that its state, password and codes cannot change meanwhile.
 *
 * @returns undefined when the operator is disabled or deleted, or when its password hash is no longer `passwordHash`
 */
export async function lockOperator(
  db: Db,
  operatorId: number,
  passwordHash?: string,
): Promise<LockedOperator | undefined> {
  const { rows } = await sql<LockedOperator>`
    select otp_since as "otpSince", passkey_rps as "passkeyRps" from agent
    where id = ${operatorId} and state = 1 and deleted_at is null
      and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null}) for no key update`.execute(
    db,
  );
  return rows[0];
}

interface NewPassword {
  /** The operator whose password it is. */
  id: number;
  hash: string;
  by: 'owner' | 'other';
  now: number;
}

/** Sets a password and notifies its owner. */
export async function setPassword(db: Db, { id, hash, by, now }: NewPassword): Promise<void> {
  await sql`update agent set password_hash = ${hash}, password_by_other = ${by === 'other'}, updated_at = ${now}
    where id = ${id}`.execute(db);
  await notifyCredential({ db, now }, id, 'password');
}

export async function recordLogin(
  db: Db,
  operatorId: number,
  deviceHash: string,
  ip: string,
  now: number,
): Promise<void> {
  await sql`update agent set last_login_at = ${now}, last_login_ip = ${ip} where id = ${operatorId}`.execute(db);
  await sql`insert into device (operator_id, hash, created_at, last_at) values (${operatorId}, ${deviceHash}, ${now}, ${now})
    on conflict (operator_id, hash) do update set last_at = excluded.last_at`.execute(db);
}

export async function isKnownDevice(db: Db, account: string, deviceHash: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device d join agent o on o.id = d.operator_id
    where o.account_key = lower(${account}) and d.hash = ${deviceHash} and o.state = 1 and o.deleted_at is null`.execute(
    db,
  );
  return rows.length > 0;
}

const HOUR_MS = 3_600_000;

/**
 * Counts a guess before it is checked, in one statement, so that parallel guesses cannot exceed the limit together. The
 * window is the past 60 minutes; refused guesses do not prolong it.
 *
 * @returns the number of guesses within the window; undefined when the limit is reached and the guess is refused
 */
export async function countGuess(db: Db, name: string, max: number, now: number): Promise<number | undefined> {
  const recent = sql`array(select t from unnest(g.times) as t where t > ${now - HOUR_MS})`;
  const { rows } = await sql<{ tries: number }>`
    insert into login_guard as g (name, times, last_at) values (${name}, array[${now}::bigint], ${now})
    on conflict (name) do update set times = ${recent} || ${now}::bigint, last_at = ${now}
    where cardinality(${recent}) < ${max} returning cardinality(times) as tries`.execute(db);
  return rows[0]?.tries;
}

/** Takes back the guess that was counted at `now`. */
export async function removeGuess(db: Db, name: string, now: number): Promise<void> {
  await sql`update login_guard set times =
      times[:array_position(times, ${now}::bigint) - 1] || times[array_position(times, ${now}::bigint) + 1:]
    where name = ${name} and ${now}::bigint = any(times)`.execute(db);
}
