import { market as calls } from '@hengtai/contract/trading/market/calls';
import type { MarketName, MarketRow } from '@hengtai/contract/trading/market/schema';
import type { MarketType } from '@hengtai/contract/trading/market/type';
import { AMOUNT_PATTERN } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { namedInScope } from '../../../database/scope.ts';
import { inMarkets } from '../../../gateway/lookup.store.ts';
import type { PlatformScope } from '../../../gateway/platform-scope.ts';

const DAY_MS = 24 * 3_600_000;

/** change24h is in percent, against the price of a day ago or, for a younger market, its first price. */
const sourceFor = ({ now, scope }: Pick<Ctx, 'now' | 'scope'>): ListSource => ({
  fields: sql`
    m.id, m.market_name as "marketName", m.icon, b.market_name as base, q.market_name as quote, m.spot, m.future, m.second, m.ieo, m.price_precision as "pricePrecision",
    m.amount_precision as "amountPrecision", m.min_amount as "minAmount", m.max_amount as "maxAmount",
    m.maker_fee as "makerFee", m.taker_fee as "takerFee", m.max_leverage as "maxLeverage",
    m.maintenance_rate as "maintenanceRate", m.withdraw_fee as "withdrawFee", m.withdraw_min as "withdrawMin",
    m.withdraw_max as "withdrawMax", m.recharge_state as "rechargeState", m.withdraw_state as "withdrawState", m.networks,
    coalesce(m.unconfirmed, '{}') as unconfirmed, m.sort, m.state, m.price, m.price_at as "pricedAt", round((m.price / d.price - 1) * 100, 4) as change24h,
    array_remove(array[case when m.halted_at is not null then 1 end, case when m.future_halted_at is not null then 2 end,
      case when m.second_halted_at is not null then 3 end], null) as halted,
    (m.platform_version > 0)::int as managed, m.version, ${namedInScope(scope, 'm.updated_by')} as "updatedBy", m.created_at as "createdAt", m.updated_at as "updatedAt"`,
  from: sql`market m left join market b on b.id = m.base_id left join market q on q.id = m.quote_id left join lateral (
    select coalesce(
      (select t.price from tick t where t.market_id = m.id and t.at <= ${now - DAY_MS} order by t.at desc, t.id desc limit 1),
      (select t.price from tick t where t.market_id = m.id order by t.at, t.id limit 1)) as price
  ) d on true`,
  id: 'm.id',
  createdAt: 'm.created_at',
  filters: { id: 'm.id', marketName: sql`lower(m.market_name)`, state: 'm.state' },
  sort: { sort: 'm.sort', price: 'm.price' },
});

export const listMarkets = defineList(calls.list, sourceFor, { sort: 'sort' });

/** Has no scope filter: markets belong to no agent. */
export async function findMarket(ctx: Pick<Ctx, 'db' | 'now' | 'scope'>, id: number): Promise<MarketRow | undefined> {
  const { fields, from } = sourceFor(ctx);
  const { rows } = await sql<MarketRow>`select ${fields} from ${from} where m.id = ${id}`.execute(ctx.db);
  return rows[0];
}

export async function listMarketNames(ctx: Pick<Ctx, 'db'>): Promise<MarketName[]> {
  const { rows } = await sql<MarketName>`
    select id, market_name as "marketName" from market order by sort, id`.execute(ctx.db);
  return rows;
}

/** Locks markets in id order, so that ticks of one market are recorded in sequence. Unknown names are omitted. */
export async function lockMarkets(
  db: Db,
  names: readonly string[],
): Promise<{ id: number; marketName: string; priceAt: number | null }[]> {
  const { rows } = await sql<{ id: number; marketName: string; priceAt: number | null }>`
    select id, market_name as "marketName", price_at as "priceAt" from market
    where market_name = any(${[...names]}::text[]) order by id for no key update`.execute(db);
  return rows;
}

/**
 * Records ticks in order and sets the price of each market to its last tick. The database function that it calls is the
 * only writer of prices and runs with privileges that the server role does not have. The caller has locked the markets and
 * checked that no tick is older than the last one.
 *
 * @param ticks `at` is the time of the tick at the platform, in unix milliseconds
 */
export async function insertTicks(
  db: Db,
  ticks: readonly { marketId: number; tick: { price: string; volume?: string; at: number } }[],
  now: number,
): Promise<void> {
  if (ticks.length === 0) return;
  await sql`select record_ticks(
    ${ticks.map(({ marketId }) => marketId)}::bigint[], ${ticks.map(({ tick }) => tick.price)}::numeric[],
    ${ticks.map(({ tick }) => tick.volume ?? null)}::numeric[], ${ticks.map(({ tick }) => tick.at)}::bigint[], ${now})`.execute(
    db,
  );
}

/** Ticks of a market among which a price that a caller has read is looked for. */
const RECENT_TICKS = 1_000;

/** Whether a market had this price lately. */
export async function hadPrice(db: Db, marketId: number, price: unknown): Promise<boolean> {
  if (typeof price !== 'string' || !new RegExp(AMOUNT_PATTERN).test(price)) return false;
  const { rows } = await sql`select from (
      select t.price from tick t where t.market_id = ${marketId} order by t.at desc, t.id desc limit ${RECENT_TICKS}
    ) recent where price = ${price}::numeric limit 1`.execute(db);
  return rows.length > 0;
}

/** The market column with the start of a halt, by market type. */
export const HALT_COLUMN = { 1: 'halted_at', 2: 'future_halted_at', 3: 'second_halted_at' } as const;

/**
 * Whether price protection has halted a market.
 *
 * @param marketType 1 spot, 2 futures, 3 binary contracts; each type is halted separately
 */
export async function isHalted(db: Db, marketId: number, marketType: MarketType = 1): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select from market where id = ${marketId} and ${sql.ref(HALT_COLUMN[marketType])} is not null`.execute(db);
  return rows.length > 0;
}

/** The configuration of all markets for the platform. A coin has neither base nor quote. */
export async function fetchPlatformMarkets(db: Db, scope: PlatformScope): Promise<unknown[]> {
  const { rows } = await sql`
    select market_name as "marketName", state, spot, future, second, ieo, price_precision as "pricePrecision",
      amount_precision as "amountPrecision", min_amount as "minAmount", max_amount as "maxAmount",
      maker_fee as "makerFee", taker_fee as "takerFee", max_leverage as "maxLeverage",
      maintenance_rate as "maintenanceRate", withdraw_fee as "withdrawFee", withdraw_min as "withdrawMin",
      withdraw_max as "withdrawMax", recharge_state as "rechargeState", withdraw_state as "withdrawState", networks,
      array_remove(array[case when halted_at is not null then 1 end, case when future_halted_at is not null then 2 end,
        case when second_halted_at is not null then 3 end], null) as halted, price,
      (select b.market_name from market b where b.id = m.base_id) as base,
      (select q.market_name from market q where q.id = m.quote_id) as quote
    from market m where ${inMarkets(scope, 'market_name')} order by sort, id`.execute(db);
  return (rows as { base: string | null; quote: string | null }[]).map(({ base, quote, ...market }) =>
    base === null ? market : { ...market, base, quote },
  );
}

/** The ids of the coins with these names. Pairs and unknown names are omitted. */
export async function findCoins(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; marketName: string }>`
    select id, market_name as "marketName" from market where base_id is null and market_name = any(${[...names]}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, marketName }) => [marketName, id]));
}
