import type { TradeDetail } from '@hengtai/contract/trade.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { inScope } from '../db/scope.ts';

const SHOWN = 200;

/** The last fills of one order. */
export async function fillsOf(ctx: Ctx, id: number): Promise<TradeDetail['fills']> {
  const { rows } = await sql<TradeDetail['fills'][number]>`
    select f.id, f.trade_no as "tradeNo", f.price, f.amount, f.turnover, f.fee, f.created_at as "createdAt"
    from trade_fill f where f.order_id = ${id} and ${inScope(ctx.scope, 'f.agent_id')}
    order by f.id desc limit ${SHOWN}`.execute(ctx.db);
  return rows;
}

/** What the order moved in its user's accounts; the lines of the house are nobody's business here. */
export async function entriesOf(ctx: Ctx, id: number): Promise<TradeDetail['entries']> {
  const { rows } = await sql<TradeDetail['entries'][number]>`
    select e.id, m.market_name as "marketName", e.bucket, e.type, e.amount, e.balance, e.created_at as "createdAt"
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id join market m on m.id = e.market_id
    where t.ref_type = 'trade' and t.ref_id = ${id} and e.user_id is not null and ${inScope(ctx.scope, 'e.agent_id')}
    order by e.id desc limit ${SHOWN}`.execute(ctx.db);
  return rows;
}

/** Every attempt to cancel it. The caller has found the order in the operator's tree. */
export async function commandsOf(ctx: Ctx, id: number): Promise<TradeDetail['commands']> {
  const { rows } = await sql<TradeDetail['commands'][number]>`
    select c.id, c.state, c.reason, c.created_at as "createdAt", c.done_at as "doneAt" from command c
    where c.ref_type = 'trade' and c.ref_id = ${id} order by c.id desc limit 20`.execute(ctx.db);
  return rows;
}
