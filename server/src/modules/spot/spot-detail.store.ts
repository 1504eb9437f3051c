import type { SpotDetail } from '@hengtai/contract/spot.schema';
import { sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { inScope } from '../../postgres/scope.ts';

const MAX_ROWS = 200;

/** The latest fills of one order, at most MAX_ROWS. */
export async function fetchFills(ctx: Ctx, id: number): Promise<SpotDetail['fills']> {
  const { rows } = await sql<SpotDetail['fills'][number]>`
    select f.id, f.trade_no as "tradeNo", f.price, f.amount, f.turnover, f.fee, f.created_at as "createdAt"
    from trade_fill f where f.order_id = ${id} and ${inScope(ctx.scope, 'f.agent_id')}
    order by f.id desc limit ${MAX_ROWS}`.execute(ctx.db);
  return rows;
}
