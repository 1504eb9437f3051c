import { sql } from 'kysely';
import type { Db } from '../database/connect.ts';

export interface ImportProgress {
  live: number;
  /** Time of the oldest event of the history, unix milliseconds. */
  from: number | null;
  /** Time of the newest event of the history, unix milliseconds. */
  reached: number | null;
  /** When the platform last sent an event of the history, unix milliseconds. */
  heard: number | null;
  events: number;
}

/** @throws Error if the database has no installation row */
export async function fetchImportProgress(db: Db): Promise<ImportProgress> {
  const { rows } = await sql<ImportProgress>`
    select live, past_from as "from", past_reached as reached, past_heard as heard, past_events as events
    from installation`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('The database has no installation row: start HengTai on it once.');
  return row;
}

/** Records the import progress once per batch of events; false once the installation is live. */
export async function recordProgress(
  db: Db,
  progress: { from: number | null; reached: number | null; events: number; now: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update installation set past_from = least(past_from, ${progress.from}::bigint),
      past_reached = greatest(past_reached, ${progress.reached}::bigint), past_events = past_events + ${progress.events},
      past_heard = ${progress.now}
    where live = 0`.execute(db);
  return numAffectedRows === 1n;
}
