import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** Takes an event's id for good, with the effect that is about to follow; false when it had its effect before. */
export async function takeEvent(
  db: Db,
  event: { eventId: string; type: string; at: number },
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into inbox (event_id, type, created_at, recorded_at) values (${event.eventId}, ${event.type}, ${event.at}, ${now})
    on conflict (event_id) do nothing`.execute(db);
  return numAffectedRows === 1n;
}
