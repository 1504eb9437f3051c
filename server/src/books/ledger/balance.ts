import { sql } from 'kysely';
import type { Db } from '../../database/connect.ts';

/** A user's balances of one coin and account type, as decimal strings. */
export interface BalanceLine {
  marketId: number;
  marketName: string;
  platform: number;
  active: string;
  frozen: string;
}

/** Fetches a user's current balances. */
export async function fetchBalances(db: Db, userId: number): Promise<BalanceLine[]> {
  const { rows } = await sql<BalanceLine>`
    select m.id as "marketId", m.market_name as "marketName", a.platform,
      coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
      coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
    from account a join market m on m.id = a.market_id
    where a.user_id = ${userId}
    group by m.id, m.market_name, m.sort, a.platform order by a.platform, m.sort, m.id`.execute(db);
  return rows;
}

/**
 * Computes a user's balances at a past time from the entries whose business time is not later.
 *
 * @param at unix milliseconds
 */
export async function fetchBalancesAt(db: Db, userId: number, at: number): Promise<BalanceLine[]> {
  const { rows } = await sql<BalanceLine>`
    select m.id as "marketId", m.market_name as "marketName", e.platform,
      coalesce(sum(e.amount) filter (where e.bucket = 'active'), 0) as active,
      coalesce(sum(e.amount) filter (where e.bucket = 'frozen'), 0) as frozen
    from entry e join market m on m.id = e.market_id
    where e.user_id = ${userId} and e.created_at <= ${at}
    group by m.id, m.market_name, m.sort, e.platform order by e.platform, m.sort, m.id`.execute(db);
  return rows;
}
