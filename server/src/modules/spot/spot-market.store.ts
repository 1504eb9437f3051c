import { ABILITY } from '@hengtai/contract/ability';
import { SETTLEMENT } from '@hengtai/contract/money';
import { SPOT, spotActionStates } from '@hengtai/contract/spot';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { inScope } from '../../postgres/scope.ts';

/** The open orders of a market within the scope of an operator. */
export interface MarketOrders {
  marketId: number;
  marketName: string;
  coinName: string;
  quoteName: string;
  orders: number;
  users: number;
  cancelling: number;
  buying: string;
  selling: string;
  valuation: string | null;
  /** Time of the oldest price in it; null without one, and for USDT. */
  pricedAt: number | null;
}

const isOpen = sql`o.state = any(${[...spotActionStates.cancel]}::int[])`;

/** Limits an approved action to the scope of its maker, even if the checker sees more. */
const inMakerScope = (ctx: Ctx, makerId: number): RawBuilder<boolean> =>
  makerId === ctx.operator.id
    ? sql<boolean>`true`
    : sql<boolean>`(exists (select from agent k where k.id = ${makerId}
        and (k.parent_id is null or ${ABILITY.headquarters} = any(k.abilities)))
      or o.agent_id in (select c.descendant from closure c where c.ancestor = ${makerId}))`;

/**
 * Counts the open orders of a market and sums what they hold.
 *
 * @returns undefined if the market does not exist
 */
export async function findMarketOrders(ctx: Ctx, marketId: number, makerId: number): Promise<MarketOrders | undefined> {
  const { rows } = await sql<MarketOrders>`
    select f."marketId", f."marketName", f."coinName", f."quoteName", f.orders, f.users, f.cancelling, f.buying, f.selling,
      case when f.orders = 0 then 0 else
        case f.buying when 0 then 0 else value_of(f.quote, f.buying) end
        + case f.selling when 0 then 0 else value_of(f.coin, f.selling) end
      end as valuation,
      least(case when f.buying > 0 then usdt_price_at(f.quote) end,
        case when f.selling > 0 then usdt_price_at(f.coin) end) as "pricedAt"
    from (
      select m.id as "marketId", m.market_name as "marketName", coalesce(b.market_name, m.market_name) as "coinName",
        coalesce(q.market_name, ${SETTLEMENT}) as "quoteName", coalesce(b.id, m.id) as coin,
        coalesce(q.id, (select id from market where market_name = ${SETTLEMENT})) as quote,
        count(o.id) filter (where ${isOpen})::int as orders,
        count(distinct o.user_id) filter (where ${isOpen})::int as users,
        count(o.id) filter (where o.state = ${SPOT.cancelling})::int as cancelling,
        coalesce(sum(o.frozen) filter (where ${isOpen} and o.side = 1), 0) as buying,
        coalesce(sum(o.frozen) filter (where ${isOpen} and o.side = 2), 0) as selling
      from market m left join market b on b.id = m.base_id left join market q on q.id = m.quote_id
      left join trade_order o on o.market_id = m.id and o.state in (0, 1, 4)
        and ${inScope(ctx.scope, 'o.agent_id')} and ${inMakerScope(ctx, makerId)}
      where m.id = ${marketId} group by m.id, b.id, q.id
    ) f`.execute(ctx.db);
  return rows[0];
}

/**
 * Sets every open order of a market to 撤单中 and enqueues its cancel command, in one statement. Orders that ended meanwhile
 * are skipped.
 *
 * @returns the number of orders
 */
export async function startCancelAll(
  ctx: Ctx,
  marketId: number,
  makerId: number,
  request: { by: string; reason: string },
): Promise<number> {
  const { rows } = await sql<{ orders: number }>`
    with locked as (
      select o.id from trade_order o
      where o.market_id = ${marketId} and ${isOpen} and ${inScope(ctx.scope, 'o.agent_id')} and ${inMakerScope(ctx, makerId)}
      order by o.id for no key update
    ),
    updated as (
      update trade_order o set state = ${SPOT.cancelling}, by_account = ${request.by}, reason = ${request.reason},
        updated_at = ${ctx.now}
      from locked where o.id = locked.id and ${isOpen} returning o.id, o.no
    ),
    enqueued as (
      insert into command (type, ref_type, ref_id, data, created_at, recorded_at)
      select 'order.cancel', 'trade', id, jsonb_build_object('no', no), ${ctx.now}::bigint, ${ctx.now}::bigint from updated
    )
    select count(*)::int as orders from updated`.execute(ctx.db);
  return rows[0]?.orders ?? 0;
}
