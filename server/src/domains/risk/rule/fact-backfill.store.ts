import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/**
 * Finds withdrawals without facts among the next by id, up to the first that was inserted at or after `before`.
 *
 * @param before unix milliseconds
 * @returns their ids, and the last id that was looked at; null if there is none
 */
export async function findWithoutFacts(
  db: Db,
  before: number,
  limit: number,
): Promise<{ ids: number[]; reached: number | null }> {
  const { rows } = await sql<{ ids: number[]; reached: number | null }>`
    with next as (
      select w.id, w.recorded_at from withdraw w where w.id > (select reached from fact_backfill) order by w.id limit ${limit}
    ),
    settled as (
      select n.id from next n
      where n.id < coalesce((select min(y.id) from next y where y.recorded_at >= ${before}), ${Number.MAX_SAFE_INTEGER})
    )
    select coalesce(array_agg(s.id) filter (where f.withdraw_id is null), '{}') as ids, max(s.id) as reached
    from settled s left join withdraw_fact f on f.withdraw_id = s.id`.execute(db);
  return rows[0] ?? { ids: [], reached: null };
}

export async function setReached(db: Db, id: number): Promise<void> {
  await sql`update fact_backfill set reached = ${id}`.execute(db);
}
