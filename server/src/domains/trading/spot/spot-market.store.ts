import { literals } from '../../../database/literals.ts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { spotActionStates } from '@hengtai/contract/trading/spot/calls';
import { openSpotStates, SPOT } from '@hengtai/contract/trading/spot/facts';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { MarketOrders } from '../../../gateway/market-cancel.ts';
import { inMakerScope } from '../../../gateway/market-cancel.store.ts';

/** The open orders of a market, with what they hold. */
export interface HeldOrders extends MarketOrders {
  coinName: string;
  quoteName: string;
  buying: string;
  selling: string;
  valuation: string | null;
  /** Time of the oldest price in it; null without one, and for USDT. */
  pricedAt: number | null;
}

const isOpen = sql`o.state = any(${[...spotActionStates.cancel]}::int[])`;

/**
 * Counts the open orders of a market in the scope of a maker, and sums what they hold.
 *
 * @returns undefined if the market does not exist
 */
export async function findMarketOrders(ctx: Ctx, marketId: number, makerId: number): Promise<HeldOrders | undefined> {
  const { rows } = await sql<HeldOrders>`
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
      left join trade_order o on o.market_id = m.id and o.state in (${literals(...openSpotStates)})
        and ${inMakerScope(ctx, makerId)}
      where m.id = ${marketId} group by m.id, b.id, q.id
    ) f`.execute(ctx.db);
  return rows[0];
}
