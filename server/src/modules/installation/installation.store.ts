import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../postgres/connect.ts';

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

/** Goes live by one conditional write; false if the installation was live. */
export async function goLive(db: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`update installation set live = 1 where live = 0`.execute(db);
  return numAffectedRows === 1n;
}

/** The first steps that are derived from the database; `password` is about the calling operator. */
export async function findFirstSteps({
  db,
  operator,
}: Ctx): Promise<{ password: boolean; market: boolean; gateway: boolean; live: number }> {
  const { rows } = await sql<{ password: boolean; market: boolean; gateway: boolean; live: number }>`
    select live,
      exists (select from audit a where a.target_type = 'agent' and a.target_id = ${operator.id}
        and a.action in ('session.password', 'operator.reset') and a.result = 200) as password,
      exists (select from market where updated_by is not null) as market,
      exists (select from inbox) as gateway
    from installation`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The database has no installation row: start HengTai on it once.');
  return row;
}
