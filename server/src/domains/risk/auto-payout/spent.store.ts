import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** What a budget limits: the house, a user, or what a signed mandate allows. Amounts are decimal strings of the coin. */
export interface Spending {
  marketId: number;
  /** Days since 1970, UTC. */
  day: number;
  kind: 'house' | 'user' | 'mandate';
  /** Id of the user or the mandate; 0 for the house. */
  refId: number;
  amount: string;
  limit: string;
  /** Limit of the number of withdrawals. */
  countLimit: number;
}

/** The sum of a day and the number of withdrawals. */
export interface Spent {
  amount: string;
  count: number;
}

/**
 * Adds an amount to the sum of its day, unless the sum or the count would exceed its limit. This conditional write decides
 * every race.
 *
 * @returns the sum with it; undefined if it does not fit
 */
export async function spend(db: Db, spending: Spending): Promise<Spent | undefined> {
  const { marketId, day, kind, refId, amount, limit, countLimit } = spending;
  const { rows } = await sql<Spent>`${prepared}
    insert into auto_spent as s (market_id, day, kind, ref_id, amount, count)
    select ${marketId}::bigint, ${day}::int, ${kind}::text, ${refId}::bigint, ${amount}::numeric, 1
    where ${amount}::numeric <= ${limit}::numeric and ${countLimit}::int >= 1
    on conflict (market_id, day, kind, ref_id) do update
      set amount = s.amount + excluded.amount, count = s.count + 1
      where s.amount + excluded.amount <= ${limit}::numeric and s.count < ${countLimit}::int
    returning s.amount, s.count`.execute(db);
  return rows[0];
}

/** What was passed on a day, of the house and of a user. */
export async function fetchSpent(
  db: Db,
  { marketId, day, userId }: { marketId: number; day: number; userId: number },
): Promise<{ house: Spent; user: Spent }> {
  const { rows } = await sql<Spent & { kind: 'house' | 'user' }>`${prepared}
    select kind, amount, count from auto_spent
    where market_id = ${marketId} and day = ${day} and (kind, ref_id) in (('house', 0), ('user', ${userId}))`.execute(
    db,
  );
  const find = (wanted: string): Spent => {
    const { amount = '0', count = 0 } = rows.find(({ kind }) => kind === wanted) ?? {};
    return { amount, count };
  };
  return { house: find('house'), user: find('user') };
}
