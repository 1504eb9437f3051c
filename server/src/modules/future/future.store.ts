import { futureStates } from '@hengtai/contract/future.facts';
import { future as calls, futureActionStates, FUTURE, demoLabels, futureSides } from '@hengtai/contract/future';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { defineList, lastRows } from '../../lists/list.ts';
import type { ListSource } from '../../lists/source.ts';
import { inScope } from '../../postgres/scope.ts';
import { positionFigures } from './future-figures.store.ts';
import { type OpenProbe, openLabel } from '../user/user-open.store.ts';

/** A list row plus the agent of its user and the maintenance rate of its market. */
export interface FutureRecord extends FutureRow {
  agentId: number;
  maintenanceRate: string;
}

/** State of the last command about the order. Only orders that an operator acted on are looked up. */
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

const joins = sql`
  left join users u on u.id = o.user_id
  left join agent g on g.id = o.agent_id
  left join market m on m.id = o.market_id
  left join (select id from market where market_name = ${sql.lit(SETTLEMENT)}) s on true`;

const from = sql`future_order o ${joins} ${positionFigures}`;

const source: ListSource = {
  fields,
  from,
  id: 'o.id',
  createdAt: 'o.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'o.agent_id',
    agentRoot: 'o.agent_id',
    // The stage ignores commands in progress: an order being cancelled is still pending, a position being closed still open.
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

const inStages = (ctx: Pick<Ctx, 'scope'>, stages: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`${stages} and ${inScope(ctx.scope, 'o.agent_id')}`;
const isLive = sql<boolean>`o.stage in (0, 1)`;
const hasEnded = sql<boolean>`o.stage in (2, 3, 4)`;

export const listFutures = defineList(calls.list, (ctx) => ({
  ...source,
  where: inStages(ctx, isLive),
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
  where: inStages(ctx, hasEnded),
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

/** The latest orders and positions of one user, in any state. */
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

interface OperatorRequest {
  by: string;
  reason: string;
}

/**
 * Sets an order to 撤单中, also if its last cancel command timed out without an answer (command state 4).
 *
 * @returns undefined if the order is in another state
 */
export async function startCancel(ctx: Ctx, id: number, request: OperatorRequest): Promise<{ no: string } | undefined> {
  const { rows } = await sql<{ no: string }>`
    update future_order o set state = ${FUTURE.cancelling}, by_account = ${request.by}, reason = ${request.reason},
      updated_at = ${ctx.now}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')} and (o.state = any(${[...futureActionStates.cancel]}::int[])
      or (o.state = ${FUTURE.cancelling} and ${command} = 4))
    returning o.no`.execute(ctx.db);
  return rows[0];
}

/**
 * Sets a position to 平仓中, also if its last close command timed out without an answer (command state 4).
 *
 * @param amount the amount to close; undefined for the full open amount
 * @returns undefined if the position is in another state or less than the amount is open
 */
export async function startClose(
  ctx: Ctx,
  id: number,
  amount: string | undefined,
  request: OperatorRequest,
): Promise<{ no: string; amount: string } | undefined> {
  const closing = sql`coalesce(${amount ?? null}::numeric, o.rest)`;
  const { rows } = await sql<{ no: string; amount: string }>`
    update future_order o set state = ${FUTURE.closing}, closing = ${closing}, by_account = ${request.by},
      reason = ${request.reason}, updated_at = ${ctx.now}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')} and ${closing} <= o.rest
      and (o.state = any(${[...futureActionStates.close]}::int[]) or (o.state = ${FUTURE.closing} and ${command} = 4))
    returning o.no, o.closing as amount`.execute(ctx.db);
  return rows[0];
}

export const openFutures: OpenProbe = {
  what: 'future',
  query: (userId) => sql`select o.no, m.market_name as market, o.demo, o.side, o.state from future_order o
    join market m on m.id = o.market_id where o.user_id = ${userId} and o.state in (0, 1, 5, 6) order by o.id`,
  describe: ({ no, market, demo, side, state }) =>
    `合约订单 ${no}（${openLabel(demoLabels, demo)} ${openLabel(futureSides, side)} ${market}，${openLabel(futureStates, state)}）`,
};
