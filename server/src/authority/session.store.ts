import { OTP_FRESH, OTP_REQUIRED } from '@hengtai/contract/house/otp/calls';
import { PASSKEY_ONLY } from '@hengtai/contract/house/passkey/calls';
import {
  SESSION_ABSOLUTE_HOURS,
  PASSWORD_CHANGE,
  SESSION_MAX,
  SESSION_MAX_DEFAULT,
  SESSION_MINUTES,
  TOKEN_OVERLAP_SECONDS,
} from '@hengtai/contract/house/session/calls';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../host/clock.ts';
import { type Db, prepared } from '../database/connect.ts';
import { position } from '../database/replica.ts';
import { type Authority, authorityColumns } from '../database/tree.ts';

const SESSION_MS = SESSION_MINUTES * 60_000;
/** The last use of a session is written at most once per interval. */
const LAST_SEEN_INTERVAL_MS = 30_000;

/** The session of a token with its operator. It may have ended: callers check `isLive`. */
export interface FoundSession extends Authority {
  sessionId: number;
  issuedAt: number;
  usedAt: number | null;
  /** When the next token was first used; null until then. */
  supersededAt: number | null;
  lastSeenAt: number;
  expiresAt: number;
  absoluteAt: number;
  endedAt: number | null;
  operatorId: number;
  /** The operator may log in. */
  enabled: boolean;
  account: string;
  /** Opened by the identity provider. */
  byOidc: boolean;
  /** What the groups at the provider allow, already applied to `top` and `abilities`; null: no limit. */
  allowedAbilities: number[] | null;
  freshAt: number | null;
  otpSince: number | null;
  /** Host names of the addresses that the operator has passkeys for. */
  passkeyRps: string[];
  passkeyOnly: boolean;
  otpRequired: boolean;
  otpFresh: boolean;
  /** The operator must change its password first, because somebody else set it. */
  passwordDue: boolean;
  /** Write position of the database, if requested with `withPosition`. */
  position?: string;
}

/** Whether a switch of the settings is on; a missing one is off. */
const isSettingOn = (key: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select c.state = 1 from config c where c.key = ${key}), false)`;

/** Whether an operator has one-time codes or a passkey. `operator` is the alias of the agent's row. */
export const hasSecondFactor = (operator: 'a' | 'o'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${operator}.otp_since`)} is not null or ${sql.ref(`${operator}.passkey_rps`)} <> '{}')`;

/**
 * Finds the session of a token with its operator and visibility; undefined for an unknown token.
 *
 * @param lock locks the operator and then the session until the transaction ends. Changes of an operator lock in the same
 *   order, which prevents deadlocks
 */
export async function findSession(
  db: Db,
  tokenHash: string,
  { withPosition = false, lock }: { withPosition?: boolean; lock?: 'share' | 'no key update' } = {},
): Promise<FoundSession | undefined> {
  const { rows } = await sql<FoundSession>`${prepared}
    select s.id as "sessionId", t.issued_at as "issuedAt", t.used_at as "usedAt", s.last_seen_at as "lastSeenAt",
      s.expires_at as "expiresAt", s.absolute_at as "absoluteAt", s.ended_at as "endedAt",
      (select min(n.used_at) from session_token n where n.previous = t.hash) as "supersededAt",
      o.id as "operatorId", o.account, o.state = 1 and o.deleted_at is null as enabled,
      ${authorityColumns(sql`s.allowed_abilities`)}, s.by_oidc as "byOidc", s.allowed_abilities as "allowedAbilities",
      s.fresh_at as "freshAt", o.otp_since as "otpSince", o.passkey_rps as "passkeyRps",
      ${isSettingOn(PASSKEY_ONLY)} as "passkeyOnly", ${isSettingOn(OTP_REQUIRED)} as "otpRequired",
      ${isSettingOn(OTP_FRESH)} as "otpFresh",
      o.password_by_other and (${isSettingOn(PASSWORD_CHANGE)}
        or exists (select from installation where four_eyes_locked_at is not null)) as "passwordDue"${withPosition ? sql`, ${position}` : sql``}
    from session_token t
    join session s on s.id = t.session_id
    join agent o on o.id = s.operator_id
    where t.hash = ${tokenHash}${lock === undefined ? sql`` : sql.raw(` for ${lock} of o, s`)}`.execute(db);
  return rows[0];
}

/** Whether the session is open, regardless of which of its tokens was sent. */
const isOpen = ({ endedAt, expiresAt, absoluteAt, enabled }: FoundSession, now: number): boolean =>
  enabled && endedAt === null && expiresAt > now && absoluteAt > now;

const isSuperseded = ({ supersededAt }: FoundSession, now: number): boolean =>
  supersededAt !== null && supersededAt <= now - TOKEN_OVERLAP_SECONDS * 1000;

/** Whether the session is open and the token has not been superseded. */
export const isLive = (found: FoundSession, now: number): boolean => isOpen(found, now) && !isSuperseded(found, now);

/** Whether a superseded token of an open session was used again, which means that one of its tokens was copied. */
export const isReused = (found: FoundSession, now: number): boolean => isOpen(found, now) && isSuperseded(found, now);

/**
 * Records the first use of a token, which starts the grace period of the previous one, and extends the session.
 *
 * @param isBackground the console sent the request by itself; such requests must not extend the session
 * @returns when the session expires, in Unix milliseconds
 */
export async function touchSession(
  db: Db,
  live: FoundSession,
  tokenHash: string,
  now: number,
  isBackground: boolean,
): Promise<number> {
  if (live.usedAt === null) {
    await sql`update session_token set used_at = ${now} where hash = ${tokenHash} and used_at is null`.execute(db);
  }
  if (!isBackground && now - live.lastSeenAt >= LAST_SEEN_INTERVAL_MS) {
    // If an action of the session holds the row lock, skip the write; the next request repeats it.
    const { rows } = await sql<{ expiresAt: number }>`
      update session set last_seen_at = ${now}, expires_at = least(${now + SESSION_MS}, absolute_at)
      where id = (select id from session where id = ${live.sessionId} and ended_at is null for no key update skip locked)
      returning expires_at as "expiresAt"`.execute(db);
    return rows[0]?.expiresAt ?? live.expiresAt;
  }
  return live.expiresAt;
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

/** What limits a session besides the settings. */
export interface SessionLimits {
  /** Opened by the identity provider. */
  byOidc?: boolean;
  /** The abilities that the groups at the provider allow; null: all. */
  allowedAbilities?: readonly number[] | null;
  /** The session ends at this time at the latest. */
  endsAt?: number;
}

export async function openSession(
  db: Db,
  session: {
    operatorId: number;
    deviceHash: string;
    known: boolean;
    /** Opened with a code of the authenticator, which counts as a fresh code. */
    fresh: boolean;
    limits?: SessionLimits | undefined;
    ip: string;
    userAgent: string;
    now: number;
  },
): Promise<{ id: number; expiresAt: number }> {
  const { byOidc = false, allowedAbilities = null, endsAt = Infinity } = session.limits ?? {};
  const absoluteAt = Math.min(session.now + SESSION_ABSOLUTE_HOURS * 3_600_000, endsAt);
  const expiresAt = Math.min(session.now + SESSION_MS, absoluteAt);
  const { rows } = await sql<{ id: number }>`
    insert into session (operator_id, device_hash, ip, user_agent, created_at, last_seen_at, expires_at, absolute_at,
      known, fresh_at, by_oidc, allowed_abilities)
    values (${session.operatorId}, ${session.deviceHash}, ${session.ip}, ${session.userAgent}, ${session.now},
      ${session.now}, ${expiresAt}, ${absoluteAt}, ${session.known ? 1 : 0},
      ${session.fresh ? session.now : null}, ${byOidc}, ${allowedAbilities && [...allowedAbilities]}::int[]) returning id`.execute(
    db,
  );
  return { id: rows[0]?.id ?? 0, expiresAt };
}

/** Ends a session; false when it had ended already. */
export async function endSession(db: Db, id: number, reason: string, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update session set ended_at = ${now}, end_reason = ${reason}
    where id = ${id} and ended_at is null`.execute(db);
  return numAffectedRows === 1n;
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

/** Ends the least recently used sessions, so that one more stays within the limit of the settings. */
export async function endSurplusSessions(db: Db, operatorId: number, now: number): Promise<void> {
  await sql`update session set ended_at = ${now}, end_reason = 'limit'
    where id in (
      select id from session
      where operator_id = ${operatorId} and ended_at is null and expires_at > ${now} and absolute_at > ${now}
      order by last_seen_at desc, id desc
      offset greatest(0, coalesce((select num from config where key = ${SESSION_MAX}), ${SESSION_MAX_DEFAULT})::int - 1))`.execute(
    db,
  );
}

/** Ends all sessions of an operator except one; returns the number of ended sessions. */
export async function endOtherSessions(
  db: Db,
  operatorId: number,
  sessionId: number,
  reason: string,
  now: number,
): Promise<number> {
  const { numAffectedRows } = await sql`update session set ended_at = ${now}, end_reason = ${reason}
    where operator_id = ${operatorId} and id <> ${sessionId} and ended_at is null and expires_at > ${now}
      and absolute_at > ${now}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Locks the session of a token and its operator until the transaction ends; false when the session is over. */
export async function lockSession(db: Db, tokenHash: string, clock: Clock): Promise<boolean> {
  const found = await findSession(db, tokenHash, { lock: 'no key update' });
  return found !== undefined && isLive(found, clock.now());
}

/** Records that a one-time code was given in this session at `now`. */
export async function recordFreshCode(db: Db, sessionId: number, now: number): Promise<void> {
  await sql`update session set fresh_at = ${now} where id = ${sessionId}`.execute(db);
}

export async function fetchOtpPolicy(db: Db): Promise<{ required: boolean; fresh: boolean }> {
  const { rows } = await sql<{ required: boolean; fresh: boolean }>`
    select ${isSettingOn(OTP_REQUIRED)} as required, ${isSettingOn(OTP_FRESH)} as fresh`.execute(db);
  return rows[0] ?? { required: false, fresh: false };
}

/** @throws Error when the database was never initialized */
export async function fetchInstallation(db: Db): Promise<{ tokenKey: string; live: number }> {
  const { rows } = await sql<{ tokenKey: string; live: number }>`${prepared}
    select token_key as "tokenKey", live from installation`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('The database has no installation row: start HengTai on it once.');
  return row;
}
