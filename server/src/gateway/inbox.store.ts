import { sql } from 'kysely';
import { type Db, prepared } from '../postgres/connect.ts';

/** Inserts an event's id in the transaction that applies the event; false if the id was applied before. */
export async function takeEvent(
  db: Db,
  event: { eventId: string; type: string; at: number },
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`${prepared}
    insert into inbox (event_id, type, created_at, recorded_at) values (${event.eventId}, ${event.type}, ${event.at}, ${now})
    on conflict (event_id) do nothing`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * As `takeEvent` for many events.
 *
 * @returns the ids that were new
 */
export async function takeEvents(
  db: Db,
  events: readonly { eventId: string; type: string; at: number }[],
  now: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    insert into inbox (event_id, type, created_at, recorded_at)
    select e.id, e.type, e.at, ${now}
    from unnest(${events.map(({ eventId }) => eventId)}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ at }) => at)}::bigint[]) as e(id, type, at)
    on conflict (event_id) do nothing returning event_id as id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Which of these ids were applied before. */
export async function findKnownEvents(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    select event_id as id from inbox where event_id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
