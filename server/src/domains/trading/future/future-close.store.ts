import { future as calls } from '@hengtai/contract/trading/future/calls';
import type { FutureCloseRow, FutureDetail, FutureOpening } from '@hengtai/contract/trading/future/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';
import { fetchRecordCommands } from '../../../gateway/command.store.ts';

const MAX_ROWS = 200;

const source: ListSource = {
  fields: sql`
    c.id, c.order_id as "orderId", c.close_no as "closeNo", c.user_id as "userId", u.account, g.shown as agent,
    c.market_id as "marketId", m.market_name as "marketName", c.demo, c.side, c.leverage, c.amount as "closeAmount",
    c.open_price as "openPrice", c.price as "closePrice", c.realized,
    round(c.realized * 100 / nullif(c.released, 0), 4) as roe, c.released, c.fee, c.insured, c.close_type as "closeType",
    c.created_at as "createdAt"`,
  from: sql`future_close c
    left join future_order o on o.id = c.order_id
    left join users u on u.id = c.user_id
    left join agent g on g.id = c.agent_id
    left join market m on m.id = c.market_id
    left join (select id from market where market_name = ${sql.lit(SETTLEMENT)}) s on true`,
  id: 'c.id',
  createdAt: 'c.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'c.agent_id',
    agentRoot: 'c.agent_id',
    marketId: 'c.market_id',
    marketName: sql`lower(m.market_name)`,
    // State of the position that the close belongs to.
    state: 'o.stage',
    closeType: 'c.close_type',
    demo: 'c.demo',
    side: 'c.side',
    orderId: 'c.order_id',
    id: 'c.id',
    userId: 'c.user_id',
    closeNo: 'c.close_no',
  },
  sort: { closeAmount: 'c.amount', leverage: 'c.leverage', realized: 'c.realized' },
  sums: {
    marketId: 's.id',
    demo: 'c.demo',
    fields: { realized: 'c.realized', fee: 'c.fee', insured: 'c.insured' },
  },
};

const sourceFor = (ctx: Pick<Ctx, 'scope'>): ListSource => ({ ...source, where: inScope(ctx.scope, 'c.agent_id') });

export const listCloses = defineList(calls.closeHistory, sourceFor);

/** The latest closes of one position, at most MAX_ROWS. */
export const fetchCloses = (ctx: Ctx, id: number): Promise<FutureCloseRow[]> =>
  lastRows<FutureCloseRow>(ctx.db, sourceFor(ctx), sql`c.order_id = ${id}`, MAX_ROWS);

/** The latest openings of a position with several. */
export async function fetchOpenings(ctx: Ctx, id: number): Promise<FutureOpening[]> {
  const { rows } = await sql<FutureOpening>`
    select n.id, n.trade_no as "tradeNo", n.amount, n.price, n.margin, n.fee, n.created_at as "createdAt"
    from future_open n where n.order_id = ${id} and ${inScope(ctx.scope, 'n.agent_id')}
    order by n.id desc limit ${MAX_ROWS}`.execute(ctx.db);
  return rows;
}

export async function fetchFundings(ctx: Ctx, id: number): Promise<FutureDetail['fundings']> {
  const { rows } = await sql<FutureDetail['fundings'][number]>`
    select p.id, p.no, p.amount, p.from_margin as "fromMargin", p.insured, p.created_at as "createdAt"
    from future_funding p where p.order_id = ${id} and ${inScope(ctx.scope, 'p.agent_id')}
    order by p.id desc limit ${MAX_ROWS}`.execute(ctx.db);
  return rows;
}

/** The commands to cancel or close a position, with the requested amount. The caller has checked the scope. */
export const fetchCommands = (ctx: Ctx, id: number): Promise<FutureDetail['commands']> =>
  fetchRecordCommands(ctx.db, 'future', id, sql`, c.type, c.data ->> 'amount' as amount`);
