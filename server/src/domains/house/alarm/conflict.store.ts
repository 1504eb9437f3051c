import { sql } from 'kysely';
import type { App } from '../../../app/context.ts';
import { inTransaction } from '../../../database/connect.ts';
import { raiseAlarm } from './alarm.store.ts';

/** Maximum open alarms about such events: one faulty program must not flood the alarm page. */
const OPEN_MAX = 20;

/** Raises an alarm because an applied eventId came again with other content, unless one is open. */
export async function reportConflict(app: App, eventId: string): Promise<void> {
  await inTransaction(app.system, async (db) => {
    const { rows } = await sql<{ rootId: number; isReported: boolean }>`
      select (select id from agent where parent_id is null) as "rootId",
        count(*) >= ${OPEN_MAX} or coalesce(bool_or(detail ->> 'eventId' = ${eventId}), false) as "isReported"
      from alarm where kind = 'event.conflict' and closed_at is null`.execute(db);
    const [open] = rows;
    if (!open || open.isReported) return;
    const about = { refType: 'installation', refId: 1, agentId: open.rootId };
    await raiseAlarm(db, { kind: 'event.conflict', ...about, detail: { eventId }, now: app.clock.now() });
  });
}
