import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/** The configuration of all markets for the platform. */
export async function platformMarkets(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select market_name as "marketName", state, spot, future, second, ieo, price_precision as "pricePrecision",
      amount_precision as "amountPrecision", min_amount as "minAmount", max_amount as "maxAmount",
      maker_fee as "makerFee", taker_fee as "takerFee", max_leverage as "maxLeverage",
      maintenance_rate as "maintenanceRate", withdraw_fee as "withdrawFee", withdraw_min as "withdrawMin",
      withdraw_max as "withdrawMax", recharge_state as "rechargeState", withdraw_state as "withdrawState", networks,
      array_remove(array[case when halted_at is not null then 1 end, case when future_halted_at is not null then 2 end,
        case when second_halted_at is not null then 3 end], null) as halted, price
    from market order by sort, id`.execute(db);
  return rows;
}

/** A user's balances as decimal strings; undefined for an unknown account. */
export async function platformBalances(db: Db, account: string): Promise<unknown[] | undefined> {
  const { rows } = await sql<{ market: string | null }>`
    select m.market_name as market, a.platform,
      coalesce(sum(a.balance) filter (where a.bucket = 'active'), 0) as active,
      coalesce(sum(a.balance) filter (where a.bucket = 'frozen'), 0) as frozen
    from users u
    left join account a on a.user_id = u.id
    left join market m on m.id = a.market_id
    where u.account_key = lower(${account}) and u.deleted_at is null
    group by m.market_name, m.sort, m.id, a.platform order by a.platform, m.sort, m.id`.execute(db);
  if (rows.length === 0) return undefined;
  // A user without accounts is one row of nulls by the left join.
  return rows.filter((row) => row.market !== null);
}
