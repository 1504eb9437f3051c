import { SESSION_ABSOLUTE_HOURS, SESSION_MINUTES, TOKEN_OVERLAP_SECONDS } from '@hengtai/contract/session';
import { sql } from 'kysely';
import { type Db, prepared } from '../db/connect.ts';

const SESSION_MS = SESSION_MINUTES * 60_000;
/** A session's last use is written at most this often. */
const SEEN_EVERY_MS = 30_000;

export interface LiveSession {
  sessionId: number;
  issuedAt: number;
  usedAt: number | null;
  lastSeenAt: number;
  expiresAt: number;
  operatorId: number;
  account: string;
  top: boolean;
  abilities: number[];
  agentIds: number[] | null;
}

/** The session behind a token, with its operator and that one's tree; undefined when any of it is no longer good. */
export async function findSession(db: Db, tokenHash: string, now: number): Promise<LiveSession | undefined> {
  const { rows } = await sql<LiveSession>`
    select s.id as "sessionId", t.issued_at as "issuedAt", t.used_at as "usedAt", s.last_seen_at as "lastSeenAt",
      s.expires_at as "expiresAt", o.id as "operatorId", o.account, o.parent_id is null as top, o.abilities,
      case when o.parent_id is null or 13 = any(o.abilities) then null
        else (select array_agg(c.descendant) from closure c where c.ancestor = o.id) end as "agentIds"
    from session_token t
    join session s on s.id = t.session_id
    join agent o on o.id = s.operator_id
    where t.hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${now} and s.absolute_at > ${now}
      and o.state = 1 and o.deleted_at is null
      and not exists (select from session_token n
        where n.previous = t.hash and n.used_at <= ${now - TOKEN_OVERLAP_SECONDS * 1000})`.execute(db);
  return rows[0];
}

/** Slides the session on, and notes the first use of a token, which starts the end of the one before it. */
export async function touchSession(db: Db, live: LiveSession, tokenHash: string, now: number): Promise<void> {
  if (live.usedAt === null) {
    await sql`update session_token set used_at = ${now} where hash = ${tokenHash} and used_at is null`.execute(db);
  }
  if (now - live.lastSeenAt >= SEEN_EVERY_MS) {
    await sql`update session set last_seen_at = ${now}, expires_at = least(${now + SESSION_MS}, absolute_at)
      where id = ${live.sessionId} and ended_at is null`.execute(db);
  }
}

export async function addToken(
  db: Db,
  sessionId: number,
  hash: string,
  previous: string | null,
  now: number,
): Promise<void> {
  await sql`insert into session_token (hash, session_id, previous, issued_at)
    values (${hash}, ${sessionId}, ${previous}, ${now}) on conflict (hash) do nothing`.execute(db);
}

export async function openSession(
  db: Db,
  session: { operatorId: number; deviceHash: string; ip: string; userAgent: string; now: number },
): Promise<{ id: number; expiresAt: number }> {
  const expiresAt = session.now + SESSION_MS;
  const { rows } = await sql<{ id: number }>`
    insert into session (operator_id, device_hash, ip, user_agent, created_at, last_seen_at, expires_at, absolute_at)
    values (${session.operatorId}, ${session.deviceHash}, ${session.ip}, ${session.userAgent}, ${session.now},
      ${session.now}, ${expiresAt}, ${session.now + SESSION_ABSOLUTE_HOURS * 3_600_000}) returning id`.execute(db);
  return { id: rows[0]?.id ?? 0, expiresAt };
}

export async function endSession(db: Db, id: number, reason: string, now: number): Promise<void> {
  await sql`update session set ended_at = ${now}, end_reason = ${reason}
    where id = ${id} and ended_at is null`.execute(db);
}

/** Ends every session of these operators; their next request is answered with 400. */
export async function endSessionsOf(
  db: Db,
  operatorIds: readonly number[],
  reason: string,
  now: number,
): Promise<void> {
  await sql`update session set ended_at = ${now}, end_reason = ${reason}
    where operator_id = any(${[...operatorIds]}::bigint[]) and ended_at is null`.execute(db);
}

export async function countOnline(db: Db, operatorIds: readonly number[] | null, since: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct operator_id) as n from session
    where ended_at is null and last_seen_at >= ${since}
      and (${operatorIds === null} or operator_id = any(${operatorIds === null ? [] : [...operatorIds]}::bigint[]))`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

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

export async function setPassword(db: Db, operatorId: number, hash: string, now: number): Promise<void> {
  await sql`update agent set password_hash = ${hash}, updated_at = ${now} where id = ${operatorId}`.execute(db);
}

export async function noteLogin(
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
    where o.account_key = lower(${account}) and d.hash = ${deviceHash}`.execute(db);
  return rows.length > 0;
}

/** Counts a guess before it is tried, in one statement, so that guesses at once cannot slip through together. */
export async function countGuess(db: Db, name: string, now: number): Promise<number> {
  const hour = Math.floor(now / 3_600_000);
  const { rows } = await sql<{ tries: number }>`
    insert into login_guard (name, hour, tries) values (${name}, ${hour}, 1)
    on conflict (name, hour) do update set tries = login_guard.tries + 1 returning tries`.execute(db);
  return rows[0]?.tries ?? 1;
}

/** A guess that was right is none. */
export async function forgiveGuess(db: Db, name: string, now: number): Promise<void> {
  await sql`update login_guard set tries = tries - 1
    where name = ${name} and hour = ${Math.floor(now / 3_600_000)} and tries > 0`.execute(db);
}

export async function installationOf(db: Db): Promise<{ tokenKey: string; reportZone: string; live: number }> {
  const { rows } = await sql<{ tokenKey: string; reportZone: string; live: number }>`${prepared}
    select token_key as "tokenKey", report_zone as "reportZone", live from installation`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('The installation has no first data: run the setup.');
  return row;
}
