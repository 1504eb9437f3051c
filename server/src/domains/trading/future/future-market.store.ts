import { literals } from '../../../database/literals.ts';
import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import type { MarketOrders } from '../../../gateway/market-cancel.ts';
import { inMakerScope } from '../../../gateway/market-cancel.store.ts';

/** The orders of a market that wait to be filled. */
export interface PendingOrders extends MarketOrders {
  /** Demo ones among the orders. */
  demoOrders: number;
  /** Margin of the real ones, in USDT. Demo orders hold no money. */
  held: string;
}

/**
 * Counts the pending orders of a market in the scope of a maker, and sums their margin.
 *
 * @returns undefined if the market does not exist
 */
export async function findPendingOrders(
  ctx: Ctx,
  marketId: number,
  makerId: number,
): Promise<PendingOrders | undefined> {
  const isPending = sql`o.state = ${FUTURE.pending}`;
  const { rows } = await sql<PendingOrders>`
    select m.id as "marketId", m.market_name as "marketName",
      count(o.id) filter (where ${isPending})::int as orders,
      count(distinct o.user_id) filter (where ${isPending})::int as users,
      count(o.id) filter (where o.state = ${FUTURE.cancelling})::int as cancelling,
      count(o.id) filter (where ${isPending} and o.demo = 1)::int as "demoOrders",
      coalesce(sum(o.held) filter (where ${isPending} and o.demo = 0), 0) as held
    from market m left join future_order o on o.market_id = m.id and o.state in (${literals(FUTURE.pending, FUTURE.cancelling)}) and ${inMakerScope(ctx, makerId)}
    where m.id = ${marketId} group by m.id`.execute(ctx.db);
  return rows[0];
}
