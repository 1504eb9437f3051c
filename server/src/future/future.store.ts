import { future as calls, futureCan, FUTURE } from '@hengtai/contract/future';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type ListSource, defineList, lastRows } from '../db/list.ts';
import { inScope } from '../db/scope.ts';
import { figures } from './future-figures.store.ts';

/** A position as the server works with it: the row that is shown, whose it is, and the market's maintenance rate. */
export interface FutureRecord extends FutureRow {
  agentId: number;
  maintenanceRate: string;
}

/** The last command to cancel or close it; only what an operator wished something of has one. */
const command = sql`case when o.by_account is null then null else (select c.state from command c
  where c.ref_type = 'future' and c.ref_id = o.id order by c.id desc limit 1) end`;

const fields = sql`
  o.id, o.no, o.user_id as "userId", u.account, g.shown as agent, o.market_id as "marketId",
  m.market_name as "marketName", o.demo, o.side, o.type, o.leverage, o.price, o.amount, o.close_amount as "closeAmount",
  o.rest as "left", o.margin, o.held, o.open_price as "openPrice", o.close_price as "closePrice", k.mark as "markPrice",
  p.notional, p.unrealized, o.realized, f.roe, f.ratio as "marginRatio", f.liquidation as "liquidationPrice",
  o.take_profit as "takeProfit", o.stop_loss as "stopLoss", o.fee, o.funding, o.insured, o.close_type as "closeType",
  o.closing, o.state, o.by_account as "by", o.reason, ${command} as command, o.created_at as "createdAt",
  o.opened_at as "openedAt", o.ended_at as "endedAt", o.updated_at as "updatedAt"`;

const people = sql`
  left join users u on u.id = o.user_id
  left join agent g on g.id = o.agent_id
  left join market m on m.id = o.market_id
  left join (select id from market where market_name = ${sql.lit(SETTLEMENT)}) s on true`;

const from = sql`future_order o ${people} ${figures}`;

const source: ListSource = {
  fields,
  from,
  id: 'o.id',
  createdAt: 'o.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'o.agent_id',
    agentRoot: 'o.agent_id',
    // A command that is under way leaves a row where it is; over, a row's state is its stage.
    state: 'o.stage',
    doing: 'o.state',
    demo: 'o.demo',
    id: 'o.id',
    marketId: 'o.market_id',
    marketName: sql`lower(m.market_name)`,
    side: 'o.side',
    type: 'o.type',
    closeType: 'o.close_type',
    userId: 'o.user_id',
    no: 'o.no',
  },
  sort: {
    price: 'o.price',
    amount: 'o.amount',
    leverage: 'o.leverage',
    held: 'o.held',
    margin: 'o.margin',
    realized: 'o.realized',
    notional: 'p.notional',
    unrealized: 'p.unrealized',
    roe: 'f.roe',
    marginRatio: 'f.ratio',
  },
};

const scoped = (ctx: Pick<Ctx, 'scope'>, stages: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`${stages} and ${inScope(ctx.scope, 'o.agent_id')}`;
const alive = sql<boolean>`o.stage in (0, 1)`;
const over = sql<boolean>`o.stage in (2, 3, 4)`;

export const listFutures = defineList(calls.list, (ctx) => ({
  ...source,
  where: scoped(ctx, alive),
  sums: {
    marketId: 's.id',
    demo: 'o.demo',
    fields: {
      notional: 'p.notional',
      held: 'o.held',
      unrealized: 'p.unrealized',
      realized: 'o.realized',
      fee: 'o.fee',
      funding: 'o.funding',
    },
  },
}));

export const listEndedFutures = defineList(calls.openHistory, (ctx) => ({
  ...source,
  where: scoped(ctx, over),
  sums: {
    marketId: 's.id',
    demo: 'o.demo',
    fields: {
      margin: 'o.margin',
      realized: 'o.realized',
      fee: 'o.fee',
      funding: 'o.funding',
      insured: 'o.insured',
    },
  },
}));

/** The last orders and positions of one user. */
export const lastFutures = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<FutureRow>(
    ctx.db,
    { ...source, where: inScope(ctx.scope, 'o.agent_id') },
    sql`o.user_id = ${userId}`,
    limit,
  );

export async function findFuture(ctx: Ctx, id: number): Promise<FutureRecord | undefined> {
  const { rows } = await sql<FutureRecord>`
    select ${fields}, o.agent_id as "agentId", m.maintenance_rate as "maintenanceRate"
    from ${from} where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}`.execute(ctx.db);
  return rows[0];
}

interface Wish {
  by: string;
  reason: string;
}

/** Whether the order goes over into 撤单中; one whose last command came to nobody knows what may be tried once more. */
export async function startCancel(ctx: Ctx, id: number, what: Wish): Promise<{ no: string } | undefined> {
  const { rows } = await sql<{ no: string }>`
    update future_order o set state = ${FUTURE.cancelling}, by_account = ${what.by}, reason = ${what.reason},
      updated_at = ${ctx.now}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')} and (o.state = any(${[...futureCan.cancel]}::int[])
      or (o.state = ${FUTURE.cancelling} and ${command} = 4))
    returning o.no`.execute(ctx.db);
  return rows[0];
}

/**
 * Whether the position goes over into 平仓中; never for more than is open of it.
 *
 * @param amount undefined: all that is open
 */
export async function startClose(
  ctx: Ctx,
  id: number,
  amount: string | undefined,
  what: Wish,
): Promise<{ no: string; amount: string } | undefined> {
  const asked = sql`coalesce(${amount ?? null}::numeric, o.rest)`;
  const { rows } = await sql<{ no: string; amount: string }>`
    update future_order o set state = ${FUTURE.closing}, closing = ${asked}, by_account = ${what.by},
      reason = ${what.reason}, updated_at = ${ctx.now}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')} and ${asked} <= o.rest
      and (o.state = any(${[...futureCan.close]}::int[]) or (o.state = ${FUTURE.closing} and ${command} = 4))
    returning o.no, o.closing as amount`.execute(ctx.db);
  return rows[0];
}
