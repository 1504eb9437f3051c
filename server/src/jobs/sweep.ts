import { sql } from 'kysely';
import type { App } from '../context.ts';
import { KEY_DAYS } from '../http/idempotency.ts';
import { deleteOldNotices } from '../notify/notice.store.ts';
import { underLease } from './job.ts';

const DAY_MS = 24 * 3_600_000;
/** Tokens of sessions that ended this long ago are of no use to anybody. */
const TOKEN_DAYS = 7;

/** Deletes what its stated retention has outlived: idempotency keys, guess counters, tokens of ended sessions, facts. */
export async function sweep(app: App): Promise<boolean> {
  const now = app.clock.now();
  await underLease(app, 'sweep', async (db) => {
    await sql`delete from idempotency where created_at < ${now - KEY_DAYS * DAY_MS}`.execute(db);
    await deleteOldNotices(db, now);
    await sql`delete from login_guard where hour < ${Math.floor(now / 3_600_000) - 2}`.execute(db);
    await sql`delete from session_token t using session s
      where s.id = t.session_id and least(s.expires_at, coalesce(s.ended_at, s.expires_at)) < ${now - TOKEN_DAYS * DAY_MS}`.execute(
      db,
    );
  });
  return false;
}
