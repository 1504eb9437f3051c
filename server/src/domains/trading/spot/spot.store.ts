import { literals } from '../../../database/literals.ts';
import { openSpotStates, spotStates, SPOT } from '@hengtai/contract/trading/spot/facts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { spotActionStates, spotEventStates, spot as calls, spotSides } from '@hengtai/contract/trading/spot/calls';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { lastOfUser, userRows } from '../../../books/lists/user-rows.ts';
import { inScope } from '../../../database/scope.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import type { EventBatch, NumberedRows, Writer } from '../../../gateway/event-batch.ts';
import {
  type CancelCommand,
  type OperatorRequest,
  type OrderKind,
  lastCommandState,
  startCommand,
} from '../../../gateway/order-command.store.ts';
import { reject } from '../../../gateway/rejected.ts';
import type { OrderMoney } from './spot.rules.ts';
import { type OpenProbe, openLabel } from '../../people/user/user-open.store.ts';

/** A list row plus the agent of its user, and the value of its hold in USDT with the time of its price. */
export interface SpotRecord extends SpotRow {
  agentId: number;
  valuation: string | null;
  pricedAt: number | null;
}

export const spotOrders: OrderKind = {
  table: 'trade_order',
  refType: 'trade',
  pending: [SPOT.cancelling],
  restored: sql`state = case when filled > 0 then ${SPOT.partial} else ${SPOT.open} end::smallint`,
};

export const coinName = sql`coalesce(b.market_name, m.market_name)`;
export const quoteName = sql`coalesce(q.market_name, ${sql.lit(SETTLEMENT)})`;

/** The fees of an order in other coins than the received one; null if there are none. */
const otherFees = sql`(
    select jsonb_agg(jsonb_build_object('marketName', c.market_name, 'amount', trim_scale(x.fee)::text) order by c.sort, c.id)
    from (select f.fee_market_id, sum(f.fee) as fee from trade_fill f
      where f.order_id = o.id and f.fee_market_id is not null group by 1) x
    join market c on c.id = x.fee_market_id)`;

const fields = sql`
  o.id, o.no, o.user_id as "userId", u.account, g.shown as agent, o.market_id as "marketId",
  m.market_name as "marketName", o.side, o.type, o.price, o.amount, o.funds, o.filled, o.avg_price as "avgPrice",
  o.turnover, o.fee, ${coinName} as "coinName",
  ${quoteName} as "quoteName", case when o.side = 1 then ${coinName} else ${quoteName} end as "feeMarket",
  ${otherFees} as "otherFees", o.frozen,
  o.state, o.by_account as "by", o.reason, ${lastCommandState('trade')} as command, o.created_at as "createdAt", o.updated_at as "updatedAt"`;

const base = userRows('trade_order', 'o');
/** Joins the coins of a pair, for `coinName` and `quoteName`, to rows with their market `m`. */
export const pairOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${rows} left join market b on b.id = m.base_id left join market q on q.id = m.quote_id`;
const from = pairOf(base.from);

const source: ListSource = {
  ...base,
  from,
  fields,
  filters: {
    ...base.filters,
    unfinished: 'o.open',
    side: 'o.side',
    type: 'o.type',
  },
  sort: { price: 'o.price', amount: 'o.amount', filled: 'o.filled', turnover: 'o.turnover' },
  sums: {
    marketId: 'o.market_id',
    fields: { filled: 'o.filled', turnover: 'o.turnover', feeCoin: 'o.fee_coin', feeUsdt: 'o.fee_usdt' },
    perCoin: {
      field: 'otherFees',
      join: sql`join trade_fill f on f.order_id = o.id and f.fee_market_id is not null`,
      marketId: 'f.fee_market_id',
      amount: 'f.fee',
    },
  },
};

export const listSpotOrders = defineList(calls.list, ({ scope }) => ({
  ...source,
  where: inScope(scope, 'o.agent_id'),
}));

/** The latest orders of one user, in any state. */
export const lastSpotOrders = lastOfUser<SpotRow>(source, 'o');

export async function findSpotOrder(ctx: Ctx, id: number): Promise<SpotRecord | undefined> {
  const { rows } = await sql<SpotRecord>`
    select ${fields}, o.agent_id as "agentId",
      value_of(h.coin, o.frozen) as valuation, usdt_price_at(h.coin) as "pricedAt"
    from ${from}
    cross join lateral (select case when o.side = 1 then coalesce(q.id, (select id from market where market_name = ${SETTLEMENT}))
      else coalesce(b.id, m.id) end as coin) h
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}`.execute(ctx.db);
  return rows[0];
}

export const spotCancelCommand: CancelCommand = {
  command: 'order.cancel',
  from: spotActionStates.cancel,
  to: SPOT.cancelling,
};

export const startCancel = (ctx: Ctx, id: number, request: OperatorRequest) =>
  startCommand(ctx, spotOrders, id, { ...spotCancelCommand, ...request });

/** The fields of an order that events need. */
export interface EventOrder extends OrderMoney {
  no: string;
}

/** Locked, so that the fills and cancels of an order run one after the other. */
export const orders: NumberedRows<EventOrder> = {
  table: 'trade_order',
  lock: async (db, numbers) => {
    const { rows } = await sql<EventOrder>`${prepared}
      select o.id, o.no, o.user_id as "userId", o.agent_id as "agentId", coalesce(m.base_id, m.id) as "coinId", o.side,
        o.type, o.price, o.amount, o.funds, o.filled, o.frozen, o.turnover, o.state, m.amount_precision as "amountPrecision",
        coalesce(m.quote_id, (select s.id from market s where s.market_name = ${SETTLEMENT})) as "quoteId"
      from trade_order o join market m on m.id = o.market_id where o.no = any(${numbers}::text[])
      for no key update of o`.execute(db);
    return rows;
  },
};

const orderTypes = {
  id: 'bigint',
  no: 'text',
  userId: 'bigint',
  agentId: 'bigint',
  marketId: 'bigint',
  side: 'int',
  type: 'int',
  price: 'numeric',
  amount: 'numeric',
  funds: 'numeric',
  frozen: 'numeric',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type NewOrder = BulkRow<typeof orderTypes, 'price' | 'amount' | 'funds'>;

/** @throws Rejected if the number exists */
export const newOrders: Writer<NewOrder> = { tables: ['trade_order'], write: insertOrders };

async function insertOrders(db: Db, rows: readonly NewOrder[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into trade_order (id, no, user_id, agent_id, market_id, side, type, price, amount, funds, frozen, state,
      created_at, recorded_at, updated_at) overriding system value
    select id, no, "userId", "agentId", "marketId", side, type, price, amount, funds, frozen, ${SPOT.open}::int, "createdAt", now, now
    from ${unnestRows('o', orderTypes, rows)} order by n
    on conflict (no) do nothing`.execute(db);
  if (numAffectedRows !== BigInt(rows.length)) throw reject('exists');
}

const fillTypes = {
  orderId: 'bigint',
  wasState: 'int',
  wasFilled: 'numeric',
  wasFrozen: 'numeric',
  tradeNo: 'text',
  price: 'numeric',
  amount: 'numeric',
  turnover: 'numeric',
  fee: 'numeric',
  feeMarketId: 'bigint',
  filled: 'numeric',
  frozen: 'numeric',
  state: 'int',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type FillToWrite = BulkRow<typeof fillTypes, 'feeMarketId'>;
type NewFill = Omit<FillToWrite, 'orderId' | 'wasState' | 'wasFilled' | 'wasFrozen'>;

const fills: Writer<FillToWrite> = { tables: ['trade_order', 'trade_fill'], write: writeFills };

/**
 * Inserts the fill and updates its order in one statement.
 *
 * @throws Rejected if state, filled or frozen changed since the order was read, or if the trade number exists
 */
export const fillOrder = (batch: EventBatch, { id, state, filled, frozen }: EventOrder, fill: NewFill): Promise<void> =>
  batch.insert(fills, { ...fill, orderId: id, wasState: state, wasFilled: filled, wasFrozen: frozen });

async function writeFills(db: Db, all: readonly FillToWrite[]): Promise<void> {
  const { rows } = await sql<{ updated: number; written: number }>`${prepared}
    with fill as (select * from ${unnestRows('f', fillTypes, all)}),
    updated as (
      update trade_order o set filled = f.filled, turnover = o.turnover + f.turnover, fee = o.fee + case when f."feeMarketId" is null then f.fee else 0 end,
        frozen = f.frozen, state = f.state, updated_at = f.now
      from fill f
      where o.id = f."orderId" and o.state = f."wasState" and o.filled = f."wasFilled" and o.frozen = f."wasFrozen"
      returning o.id, o.user_id, o.agent_id, o.market_id, f.n
    ),
    written as (
      insert into trade_fill (order_id, trade_no, user_id, agent_id, market_id, price, amount, turnover, fee, fee_market_id,
        created_at, recorded_at)
      select m.id, f."tradeNo", m.user_id, m.agent_id, m.market_id, f.price, f.amount, f.turnover, f.fee,
        f."feeMarketId", f."createdAt", f.now
      from updated m join fill f on f.n = m.n order by f.n
      on conflict (trade_no) do nothing returning 1
    )
    select (select count(*) from updated)::int as updated, (select count(*) from written)::int as written`.execute(db);
  if (rows[0]?.updated !== all.length) throw reject('state');
  if (rows[0].written !== all.length) throw reject('exists');
}

export async function isKnownTrade(db: Db, tradeNo: string): Promise<boolean> {
  const { rows } = await sql`select 1 from trade_fill where trade_no = ${tradeNo}`.execute(db);
  return rows.length > 0;
}

/** Sets an order to cancelled with no hold. Returns false if it had ended. */
export async function endOrder(db: Db, { id }: EventOrder, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`${prepared}
    update trade_order set state = ${SPOT.cancelled}, frozen = 0, updated_at = ${now}
    where id = ${id} and state = any(${[...spotEventStates.cancelled]}::int[])`.execute(db);
  return numAffectedRows === 1n;
}

export const openSpotOrders: OpenProbe = {
  what: 'trade',
  query: (userId) => sql`select o.no, m.market_name as market, o.side, o.state from trade_order o
    join market m on m.id = o.market_id where o.user_id = ${userId} and o.state in (${literals(...openSpotStates)}) order by o.id`,
  describe: ({ no, market, side, state }) =>
    `现货委托 ${no}（${openLabel(spotSides, side)} ${market}，${openLabel(spotStates, state)}）`,
};
