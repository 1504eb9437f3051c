import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import type { AssetRow, UserDetail } from '@hengtai/contract/people/user/schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { rechargeSums, withdrawSums } from '../../../books/lists/user-sums.ts';
import { fetchBalancesAt } from '../../../books/ledger/balance.ts';

const CREDENTIALS = 10;

type LastField =
  | 'recharges'
  | 'withdraws'
  | 'ieos'
  | 'funds'
  | 'transfers'
  | 'trades'
  | 'contracts'
  | 'futures'
  | 'follows'
  | 'audits';

/** The last records of a user by their field in the user's details, each read by the module of the records. */
export type LastOfUser = { [K in LastField]: (ctx: Ctx, userId: number, limit: number) => Promise<UserDetail[K]> };

/** Totals of credited recharges and paid withdrawals in USDT at the last prices; null if a coin has no price. */
export async function findTotals(ctx: Ctx, userId: number): Promise<UserDetail['totals']> {
  const { rows } = await sql<UserDetail['totals']>`
    with moved as (
      select 'in' as way, market_id, sum(s1) as amount, sum(n) as n from ${rechargeSums(userId)} r
        where dims[1] = ${RECHARGE.credited} group by market_id having sum(n) > 0
      union all
      select 'out', market_id, sum(s1), sum(n) from ${withdrawSums(userId)} w
        where dims[1] = ${WITHDRAW.paid} group by market_id having sum(n) > 0
    ),
    valued as (select way, value_of(market_id, amount) as value, n from moved),
    summed as (
      select
        case when bool_or(value is null) filter (where way = 'in') then null
          else coalesce(sum(value) filter (where way = 'in'), 0) end as recharge,
        case when bool_or(value is null) filter (where way = 'out') then null
          else coalesce(sum(value) filter (where way = 'out'), 0) end as withdraw,
        coalesce(sum(n) filter (where way = 'in'), 0)::bigint as "rechargeCount",
        coalesce(sum(n) filter (where way = 'out'), 0)::bigint as "withdrawCount"
      from valued
    )
    select summed.*, recharge - withdraw as net from summed`.execute(ctx.db);
  return rows[0] ?? { recharge: '0', rechargeCount: 0, withdraw: '0', withdrawCount: 0, net: '0' };
}

/** Credited recharges and paid withdrawals by coin. */
export async function findDeposits(ctx: Ctx, userId: number): Promise<UserDetail['deposits']> {
  const { rows } = await sql<UserDetail['deposits'][number]>`
    select m.id as "marketId", m.market_name as "marketName", coalesce(r.amount, 0) as recharge,
      coalesce(w.amount, 0) as withdraw, coalesce(r.amount, 0) - coalesce(w.amount, 0) as net
    from market m
    left join (select market_id, sum(s1) as amount from ${rechargeSums(userId)} s where dims[1] = ${RECHARGE.credited}
      group by market_id having sum(n) > 0) r on r.market_id = m.id
    left join (select market_id, sum(s1) as amount from ${withdrawSums(userId)} s where dims[1] = ${WITHDRAW.paid}
      group by market_id having sum(n) > 0) w on w.market_id = m.id
    where r.amount is not null or w.amount is not null order by m.sort, m.id`.execute(ctx.db);
  return rows;
}

/** The last changes of the user's credentials, which hold payouts. */
export async function findCredentials(ctx: Ctx, userId: number): Promise<UserDetail['credentials']> {
  const { rows } = await sql<UserDetail['credentials'][number]>`
    select kind, created_at as at from credential_change where user_id = ${userId}
    order by created_at desc limit ${CREDENTIALS}`.execute(ctx.db);
  return rows;
}

export async function fetchLastLogins(ctx: Ctx, userId: number, limit: number): Promise<UserDetail['logins']> {
  const { rows } = await sql<UserDetail['logins'][number]>`
    select l.id, l.ip, l.device, l.created_at as at from user_login l
    where l.user_id = ${userId} and ${inScope(ctx.scope, 'l.agent_id')}
    order by l.created_at desc, l.id desc limit ${limit}`.execute(ctx.db);
  return rows;
}

/** The devices of the stored logins, the last used first. */
export async function fetchLastDevices(ctx: Ctx, userId: number, limit: number): Promise<UserDetail['devices']> {
  const { rows } = await sql<UserDetail['devices'][number]>`
    select d.*, (select l.ip from user_login l where l.user_id = ${userId} and l.created_at = d."lastAt"
        and l.device is not distinct from d.device and ${inScope(ctx.scope, 'l.agent_id')} order by l.id desc limit 1) as "lastIp"
    from (
      select l.device, count(*) as times, min(l.created_at) as "firstAt", max(l.created_at) as "lastAt" from user_login l
      where l.user_id = ${userId} and ${inScope(ctx.scope, 'l.agent_id')} group by l.device order by "lastAt" desc limit ${limit}
    ) d order by d."lastAt" desc`.execute(ctx.db);
  return rows;
}

/** The last tick of a market at or before a moment. */
const priceAt = (marketId: RawBuilder<unknown>, at: number): RawBuilder<unknown> => sql`
  select k.price from tick k where k.market_id = ${marketId} and k.at <= ${at} order by k.at desc, k.id desc limit 1`;

/**
 * Balances of a user at a past moment by the business time of the entries. The valuation uses the last tick at or
 * before that moment and is null if there is none.
 *
 * @param at unix milliseconds
 */
export async function fetchAssetsAt(
  ctx: Ctx,
  userId: number,
  at: number,
  platform: number | undefined,
): Promise<AssetRow[]> {
  const lines = (await fetchBalancesAt(ctx.db, userId, at)).filter(
    (line) => platform === undefined || line.platform === platform,
  );
  const { rows } = await sql<AssetRow>`
    select l."marketId", l."marketName", l.platform, l.active, l.frozen, l.total,
      case when v.value < 1e18 then round(v.value, 18) end as valuation
    from (
      select t."marketId", t."marketName", t.platform, t.active, t.frozen, t.active + t.frozen as total, t.n
      from unnest(${lines.map((line) => line.marketId)}::bigint[], ${lines.map((line) => line.marketName)}::text[],
        ${lines.map((line) => line.platform)}::int[], ${lines.map((line) => line.active)}::numeric[],
        ${lines.map((line) => line.frozen)}::numeric[])
        with ordinality as t("marketId", "marketName", platform, active, frozen, n)
    ) l
    left join lateral (${priceAt(sql`l."marketId"`, at)}) own on true
    left join lateral (
      -- As usdt_price() for the present.
      select base.price * case when q.market_name = 'USDT' then 1 else quote.price end as price
      from market r join market q on q.id = r.quote_id
      cross join lateral (${priceAt(sql`r.id`, at)}) base
      left join lateral (${priceAt(sql`q.id`, at)}) quote on true
      where r.base_id = l."marketId" and own.price is null and (q.market_name = 'USDT' or quote.price is not null)
      order by r.sort, r.id limit 1
    ) pair on true
    cross join lateral (
      select l.total * case when l."marketName" = 'USDT' then 1 else coalesce(own.price, pair.price) end as value
    ) v
    order by l.n`.execute(ctx.db);
  return rows;
}
