import { sql } from 'kysely';
import type { App } from '../app/context.ts';
import type { Db } from '../database/connect.ts';
import { KEY_DAYS } from '../actions/idempotency.ts';
import { deleteOldNotifications } from '../actions/notification.store.ts';
import { underLease } from '../app/lease.store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Retention of tokens after their session ended. */
const TOKEN_DAYS = 7;

/** Retention of ended sessions in the session list; the audit log keeps their logins. */
const SESSION_DAYS = 90;
/** A device that was not used for this long counts as unknown again. */
const DEVICE_DAYS = 180;

/** Retention of users' logins, which serve the review of withdrawals and disputes. */
export const LOGIN_DAYS = 180;
/** Retention of expired support links; the audit log keeps who created and used them. */
const LINK_DAYS = 1;

/**
 * Deletes expired rows: idempotency keys, login attempt counters, tokens of ended sessions, users' logins, support links,
 * notifications, sessions, devices, secrets of one-time codes, what is left of passkeys and of logins at the identity
 * provider, and records that lost tabs had open.
 */
export async function sweep(app: App): Promise<boolean> {
  const now = app.clock.now();
  await underLease(app, 'sweep', async (db) => {
    await sql`delete from idempotency where created_at < ${now - KEY_DAYS * DAY_MS}`.execute(db);
    await deleteOldNotifications(db, now);
    await sql`delete from login_guard where last_at < ${now - 2 * HOUR_MS}`.execute(db);
    await sql`delete from session_token t using session s
      where s.id = t.session_id and least(s.expires_at, coalesce(s.ended_at, s.expires_at)) < ${now - TOKEN_DAYS * DAY_MS}`.execute(
      db,
    );
    await sql`delete from session s
      where least(s.expires_at, coalesce(s.ended_at, s.expires_at)) < ${now - SESSION_DAYS * DAY_MS}
        and not exists (select from session_token t where t.session_id = s.id)`.execute(db);
    await sql`delete from device d using agent o
      where o.id = d.operator_id and (o.deleted_at is not null or d.last_at < ${now - DEVICE_DAYS * DAY_MS})`.execute(
      db,
    );
    await sweepCodes(db, now);
    await sweepPasskeys(db, now);
    await sql`delete from user_login where created_at < ${now - LOGIN_DAYS * DAY_MS}`.execute(db);
    await sql`delete from support_link where expires_at < ${now - LINK_DAYS * DAY_MS}`.execute(db);
    await sql`delete from viewer where lease_until <= ${now}`.execute(db);
  });
  return false;
}

/** Deletes secrets of operators that are deleted, were reset, or never confirmed their first code. */
async function sweepCodes(db: Db, now: number): Promise<void> {
  for (const table of ['otp_recovery', 'otp']) {
    await sql`delete from ${sql.table(table)} c using agent o
      where o.id = c.operator_id and (o.deleted_at is not null or o.otp_since is null)
        and c.created_at < ${now - DAY_MS}`.execute(db);
  }
}

/** Deletes expired challenges, confirmations and logins at the identity provider, and the passkeys of deleted operators. */
async function sweepPasskeys(db: Db, now: number): Promise<void> {
  for (const table of ['passkey_challenge', 'passkey_proof'])
    await sql`delete from ${sql.table(table)} where expires_at < ${now}`.execute(db);
  await sql`delete from oidc_login where expires_at < ${now}`.execute(db);
  await sql`delete from passkey p using agent o where o.id = p.operator_id and o.deleted_at is not null`.execute(db);
}
