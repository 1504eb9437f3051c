import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';

/** A user without accounts has one row, without market and platform. */
interface Balance {
  market: string | null;
  platform: number | null;
  active: string;
  frozen: string;
}

/** Balances of a user of the platform as decimal strings; undefined for another account. */
export async function fetchPlatformBalances(
  db: Db,
  platformId: number,
  account: string,
): Promise<unknown[] | undefined> {
  const { rows } = await sql<Balance>`
    select m.market_name as market, a.platform,
      coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
      coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
    from users u
    left join account a on a.user_id = u.id
    left join market m on m.id = a.market_id
    where u.account_key = lower(${account}) and u.deleted_at is null and u.platform_id = ${platformId}
    group by m.market_name, m.sort, m.id, a.platform order by a.platform, m.sort, m.id`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row) => row.market !== null);
}
