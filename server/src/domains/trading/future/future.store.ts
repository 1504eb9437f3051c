import { literals } from '../../../database/literals.ts';
import { openFutureStates, futureStates, FUTURE } from '@hengtai/contract/trading/future/facts';
import { future as calls, futureActionStates, demoLabels, futureSides } from '@hengtai/contract/trading/future/calls';
import type { FutureRow } from '@hengtai/contract/trading/future/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import {
  type CancelCommand,
  type OperatorRequest,
  type OrderKind,
  lastCommandState,
  startCommand,
} from '../../../gateway/order-command.store.ts';
import { lastOfUser, userRows } from '../../../books/lists/user-rows.ts';
import { inScope } from '../../../database/scope.ts';
import { positionFigures } from './future-figures.store.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';

/** A list row plus the agent of its user and the maintenance rate of its market. */
export interface FutureRecord extends FutureRow {
  agentId: number;
  maintenanceRate: string;
  /** Time of the mark price; null without one. */
  pricedAt: number | null;
}

export const futureOrders: OrderKind = {
  table: 'future_order',
  refType: 'future',
  pending: [FUTURE.cancelling, FUTURE.closing],
  restored: sql`closing = null,
    state = case when o.state = ${FUTURE.cancelling} then ${FUTURE.pending} else ${FUTURE.open} end::smallint`,
};

const command = lastCommandState('future');

const fields = sql`
  o.id, o.no, o.user_id as "userId", u.account, g.shown as agent, o.market_id as "marketId",
  m.market_name as "marketName", o.demo, o.side, o.type, o.leverage, o.price, o.amount, o.close_amount as "closeAmount",
  o.rest as "left", o.unopened, o.pending_margin as "pendingMargin", o.margin, o.held, o.open_price as "openPrice", o.close_price as "closePrice", k.mark as "markPrice",
  p.notional, p.unrealized, o.realized, f.roe, f.ratio as "marginRatio", f.liquidation as "liquidationPrice",
  o.take_profit as "takeProfit", o.stop_loss as "stopLoss", o.fee, o.funding, o.insured, o.close_type as "closeType",
  o.closing, o.state, o.by_account as "by", o.reason, ${command} as command, o.created_at as "createdAt",
  o.opened_at as "openedAt", o.ended_at as "endedAt", o.updated_at as "updatedAt"`;

const base = userRows('future_order', 'o');
const from = sql`${base.from}
  left join (select id from market where market_name = ${sql.lit(SETTLEMENT)}) s on true ${positionFigures}`;

const source: ListSource = {
  ...base,
  fields,
  from,
  filters: {
    ...base.filters,
    // The stage ignores commands in progress: an order being cancelled is still pending, a position being closed still open.
    state: 'o.stage',
    doing: 'o.state',
    demo: 'o.demo',
    marketName: sql`lower(m.market_name)`,
    side: 'o.side',
    type: 'o.type',
    closeType: 'o.close_type',
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
export const lastFutures = lastOfUser<FutureRow>(source, 'o');

export async function findFuture(ctx: Ctx, id: number): Promise<FutureRecord | undefined> {
  const { rows } = await sql<FutureRecord>`
    select ${fields}, o.agent_id as "agentId", m.maintenance_rate as "maintenanceRate",
      case when k.mark is not null then m.price_at end as "pricedAt"
    from ${from} where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}`.execute(ctx.db);
  return rows[0];
}

export const futureCancelCommand: CancelCommand = {
  command: 'position.cancel',
  from: futureActionStates.cancel,
  to: FUTURE.cancelling,
};

export const startCancel = (ctx: Ctx, id: number, request: OperatorRequest) =>
  startCommand(ctx, futureOrders, id, { ...futureCancelCommand, ...request });

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
    join market m on m.id = o.market_id where o.user_id = ${userId} and o.state in (${literals(...openFutureStates)}) order by o.id`,
  describe: ({ no, market, demo, side, state }) =>
    `合约订单 ${no}（${openLabel(demoLabels, demo)} ${openLabel(futureSides, side)} ${market}，${openLabel(futureStates, state)}）`,
};
