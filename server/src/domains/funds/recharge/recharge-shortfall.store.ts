import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** The first open alarm about a reversal that the user's balance did not cover. */
export async function findShortfallAlarm(db: Db, userId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    select id from alarm where user_id = ${userId} and kind = 'recharge.reversed' and closed_at is null
    order by id limit 1`.execute(db);
  return rows[0]?.id;
}
