import { SETTLEMENT } from '@hengtai/contract/money';
import { SPOT, spotCan, spotEventCan, spot as calls } from '@hengtai/contract/spot';
import type { SpotRow } from '@hengtai/contract/spot.schema';
import { Decimal } from '@hengtai/contract/decimal';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type Db, prepared } from '../db/connect.ts';
import { type ListSource, defineList, lastRows } from '../db/list.ts';
import { inScope } from '../db/scope.ts';
import { insertSoon, rowsAs, soon, writeSoon } from '../db/soon.ts';
import { prefetchedRows } from '../gateway/prefetch.store.ts';
import { readOnce } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';
import type { OrderMoney } from './spot.rules.ts';

/** An order as the server works with it: the row that is shown, whose it is, and what it holds in USDT. */
export interface SpotRecord extends SpotRow {
  agentId: number;
  valuation: string | null;
}

/** The last command to cancel it; only what an operator wished to be cancelled has one. */
const command = sql`case when o.by_account is null then null else (select c.state from command c
  where c.ref_type = 'trade' and c.ref_id = o.id order by c.id desc limit 1) end`;

const fields = sql`
  o.id, o.no, o.user_id as "userId", u.account, g.shown as agent, o.market_id as "marketId",
  m.market_name as "marketName", o.side, o.type, o.price, o.amount, o.funds, o.filled, o.avg_price as "avgPrice",
  o.turnover, o.fee, case when o.side = 1 then m.market_name else ${sql.lit(SETTLEMENT)} end as "feeMarket", o.frozen,
  o.state, o.by_account as "by", o.reason, ${command} as command, o.created_at as "createdAt", o.updated_at as "updatedAt"`;

const from = sql`trade_order o
  left join users u on u.id = o.user_id
  left join agent g on g.id = o.agent_id
  left join market m on m.id = o.market_id`;

const source: ListSource = {
  fields,
  from,
  id: 'o.id',
  createdAt: 'o.created_at',
  filters: {
    account: 'u.account_key',
    agent: 'o.agent_id',
    agentRoot: 'o.agent_id',
    state: 'o.state',
    unfinished: 'o.open',
    id: 'o.id',
    marketId: 'o.market_id',
    side: 'o.side',
    type: 'o.type',
    userId: 'o.user_id',
    no: 'o.no',
  },
  sort: { price: 'o.price', amount: 'o.amount', filled: 'o.filled', turnover: 'o.turnover' },
  sums: {
    marketId: 'o.market_id',
    fields: { filled: 'o.filled', turnover: 'o.turnover', feeCoin: 'o.fee_coin', feeUsdt: 'o.fee_usdt' },
  },
};

export const listSpotOrders = defineList(calls.list, ({ scope }) => ({
  ...source,
  where: inScope(scope, 'o.agent_id'),
}));

/** The last orders of one user. */
export const lastSpotOrders = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<SpotRow>(ctx.db, { ...source, where: inScope(ctx.scope, 'o.agent_id') }, sql`o.user_id = ${userId}`, limit);

export async function findSpotOrder(ctx: Ctx, id: number): Promise<SpotRecord | undefined> {
  const { rows } = await sql<SpotRecord>`
    select ${fields}, o.agent_id as "agentId",
      value_of(case when o.side = 1 then (select id from market where market_name = ${SETTLEMENT}) else o.market_id end,
        o.frozen) as valuation
    from ${from} where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')}`.execute(ctx.db);
  return rows[0];
}

/** Whether the order goes over into 撤单中; one whose last command came to nobody knows what may be tried once more. */
export async function startCancel(
  ctx: Ctx,
  id: number,
  what: { by: string; reason: string },
): Promise<{ no: string } | undefined> {
  const { rows } = await sql<{ no: string }>`
    update trade_order o set state = ${SPOT.cancelling}, by_account = ${what.by}, reason = ${what.reason},
      updated_at = ${ctx.now}
    where o.id = ${id} and ${inScope(ctx.scope, 'o.agent_id')} and (o.state = any(${[...spotCan.cancel]}::int[])
      or (o.state = ${SPOT.cancelling} and ${command} = 4))
    returning o.no`.execute(ctx.db);
  return rows[0];
}

/** An order as events need it. */
export interface EventOrder extends OrderMoney {
  no: string;
}

const prefetched = prefetchedRows<EventOrder>();

const eventOrders = (which: RawBuilder<unknown>) => sql<EventOrder>`${prepared}
  select o.id, o.no, o.user_id as "userId", o.agent_id as "agentId", o.market_id as "marketId", o.side, o.type, o.price,
    o.amount, o.funds, o.filled, o.frozen, o.turnover, o.state, m.amount_precision as "amountPrecision",
    (select s.id from market s where s.market_name = ${SETTLEMENT}) as "usdtId"
  from trade_order o join market m on m.id = o.market_id where ${which} for no key update of o`;

/** Locked until the transaction ends, so that fills and cancels of one order come one after the other. */
export async function takeOrder(db: Db, no: string): Promise<EventOrder | undefined> {
  const found = prefetched.take(db, no);
  if (found) return found.row;
  await writeSoon(db);
  return (await eventOrders(sql`o.no = ${no}`).execute(db)).rows[0];
}

export async function prefetchOrders(db: Db, numbers: readonly string[]): Promise<void> {
  const { rows } = await eventOrders(sql`o.no = any(${numbers}::text[])`).execute(db);
  prefetched.keep(db, numbers, rows);
}

export interface SpotMarket {
  id: number;
  usdtId: number;
  spot: number;
  ieo: number;
  state: number;
  /** By price protection, for spot trading. */
  halted: boolean;
  pricePrecision: number;
  amountPrecision: number;
  minAmount: string;
  maxAmount: string;
}

export async function findSpotMarket(db: Db, name: string): Promise<SpotMarket> {
  const market = await readOnce(db, `spot ${name}`, async () => {
    const { rows } = await sql<SpotMarket>`${prepared}
      select m.id, (select s.id from market s where s.market_name = ${SETTLEMENT}) as "usdtId", m.spot, m.ieo, m.state,
        m.halted_at is not null as halted, m.price_precision as "pricePrecision",
        m.amount_precision as "amountPrecision", m.min_amount as "minAmount", m.max_amount as "maxAmount"
      from market m where m.market_name = ${name}`.execute(db);
    return rows[0];
  });
  if (!market) throw reject('unknown', 'market');
  return market;
}

/** A purchase for funds names no amount, and a highest amount of 0 means none. */
export function outsideLimits(
  market: Pick<SpotMarket, 'minAmount' | 'maxAmount'>,
  amount: string | null,
): 'min' | 'max' | undefined {
  if (amount === null) return undefined;
  if (new Decimal(amount).lt(market.minAmount)) return 'min';
  return new Decimal(market.maxAmount).gt(0) && new Decimal(amount).gt(market.maxAmount) ? 'max' : undefined;
}

export interface NewOrder extends Pick<OrderMoney, 'userId' | 'agentId' | 'marketId' | 'side' | 'type' | 'frozen'> {
  no: string;
  price: string | null;
  amount: string | null;
  funds: string | null;
  createdAt: number;
  now: number;
}

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
type OrderToWrite = Record<keyof typeof orderTypes, unknown>;

/** @throws Rejected when the number is known already */
export function insertOrder(db: Db, row: NewOrder): Promise<number> {
  prefetched.forget(db, row.no);
  return insertSoon<Omit<OrderToWrite, 'id'>>(db, 'trade_order', writeOrders, { ...row });
}

async function writeOrders(db: Db, all: readonly OrderToWrite[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into trade_order (id, no, user_id, agent_id, market_id, side, type, price, amount, funds, frozen, state,
      created_at, recorded_at, updated_at) overriding system value
    select coalesce(o.id, nextval(pg_get_serial_sequence('trade_order', 'id'))), no, "userId", "agentId", "marketId", side,
      type, price, amount, funds, frozen, ${SPOT.open}::int, "createdAt", now, now
    from ${rowsAs('o', orderTypes, all)} order by n
    on conflict (no) do nothing returning id`.execute(db);
  if (rows.length < all.length) throw reject('exists');
  return rows.map(({ id }) => id);
}

export interface NewFill {
  tradeNo: string;
  price: string;
  amount: string;
  turnover: string;
  fee: string;
  filled: string;
  frozen: string;
  state: number;
  createdAt: number;
  now: number;
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
  filled: 'numeric',
  frozen: 'numeric',
  state: 'int',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type FillToWrite = Record<keyof typeof fillTypes, unknown>;

/**
 * The fill and what it makes of its order, in one write; only while the order stands as it was read.
 *
 * @throws Rejected where it does not, or when the fill's number is known already
 */
export const fillOrder = (db: Db, { id, state, filled, frozen }: EventOrder, fill: NewFill): Promise<void> =>
  soon<FillToWrite>(db, writeFills, { ...fill, orderId: id, wasState: state, wasFilled: filled, wasFrozen: frozen });

async function writeFills(db: Db, all: readonly FillToWrite[]): Promise<void> {
  const { rows } = await sql<{ moved: number; written: number }>`${prepared}
    with fill as (select * from ${rowsAs('f', fillTypes, all)}),
    moved as (
      update trade_order o set filled = f.filled, turnover = o.turnover + f.turnover, fee = o.fee + f.fee,
        frozen = f.frozen, state = f.state, updated_at = f.now
      from fill f
      where o.id = f."orderId" and o.state = f."wasState" and o.filled = f."wasFilled" and o.frozen = f."wasFrozen"
      returning o.id, o.user_id, o.agent_id, o.market_id, f.n
    ),
    written as (
      insert into trade_fill (order_id, trade_no, user_id, agent_id, market_id, price, amount, turnover, fee, created_at,
        recorded_at)
      select m.id, f."tradeNo", m.user_id, m.agent_id, m.market_id, f.price, f.amount, f.turnover, f.fee, f."createdAt", f.now
      from moved m join fill f on f.n = m.n order by f.n
      on conflict (trade_no) do nothing returning 1
    )
    select (select count(*) from moved)::int as moved, (select count(*) from written)::int as written`.execute(db);
  if (rows[0]?.moved !== all.length) throw reject('state');
  if (rows[0].written !== all.length) throw reject('exists');
}

export async function isKnownTrade(db: Db, tradeNo: string): Promise<boolean> {
  await writeSoon(db);
  const { rows } = await sql`select 1 from trade_fill where trade_no = ${tradeNo}`.execute(db);
  return rows.length > 0;
}

/** Cancelled for good, holding nothing any more. */
export async function endOrder(db: Db, { id }: EventOrder, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`${prepared}
    update trade_order set state = ${SPOT.cancelled}, frozen = 0, updated_at = ${now}
    where id = ${id} and state = any(${[...spotEventCan.cancelled]}::int[])`.execute(db);
  return numAffectedRows === 1n;
}

/** A cancel that came to nothing: back to where it was, unless a later command is on its way. */
export async function returnOrder(
  db: Db,
  id: number,
  commandId: number,
  now: number,
): Promise<{ userId: number; agentId: number } | undefined> {
  const { rows } = await sql<{ userId: number; agentId: number }>`
    update trade_order o set state = case when filled > 0 then ${SPOT.partial} else ${SPOT.open} end::smallint,
      updated_at = ${now}
    where o.id = ${id} and o.state = ${SPOT.cancelling} and not exists (
      select from command c where c.ref_type = 'trade' and c.ref_id = o.id and c.id > ${commandId})
    returning o.user_id as "userId", o.agent_id as "agentId"`.execute(db);
  return rows[0];
}

/** What became of an order's cancel was told by the order itself. */
export async function settleCancels(db: Db, id: number, state: number, reason: string, now: number): Promise<void> {
  await sql`
    update command set state = ${state}, reason = ${reason}, done_at = ${now}
    where type = 'order.cancel' and ref_type = 'trade' and ref_id = ${id} and state in (0, 1, 4)`.execute(db);
}
