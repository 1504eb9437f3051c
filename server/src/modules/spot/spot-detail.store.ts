import type { SpotDetail } from '@hengtai/contract/spot.schema';
import { sql } from 'kysely';
import { SETTLEMENT } from '@hengtai/contract/money';
import type { Ctx } from '../../core/context.ts';
import { inScope } from '../../postgres/scope.ts';

const MAX_ROWS = 200;

/** The latest fills of one order, at most MAX_ROWS. */
export async function fetchFills(ctx: Ctx, id: number): Promise<SpotDetail['fills']> {
  const { rows } = await sql<SpotDetail['fills'][number]>`
    select f.id, f.trade_no as "tradeNo", f.price, f.amount, f.turnover, f.fee,
      coalesce(c.market_name, case when o.side = 1 then coalesce(b.market_name, m.market_name)
        else coalesce(q.market_name, ${SETTLEMENT}) end) as "feeMarket",
      f.created_at as "createdAt"
    from trade_fill f join trade_order o on o.id = f.order_id join market m on m.id = f.market_id
    left join market b on b.id = m.base_id left join market q on q.id = m.quote_id
    left join market c on c.id = f.fee_market_id where f.order_id = ${id} and ${inScope(ctx.scope, 'f.agent_id')}
    order by f.id desc limit ${MAX_ROWS}`.execute(ctx.db);
  return rows;
}
