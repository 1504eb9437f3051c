import { market as calls } from '@hengtai/contract/market';
import type { MarketName } from '@hengtai/contract/market.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { type ListSource, defineList } from '../db/list.ts';

/** URL template of the block explorer of a row's network, or the empty text. Both columns are written in the code. */
export const explorerOf = (networks: string, network: string) => sql`
  coalesce((select n ->> 'explorer' from jsonb_array_elements(${sql.ref(networks)}) n
    where n ->> 'network' = ${sql.ref(network)} limit 1), '')`;

const DAY_MS = 24 * 3_600_000;

/** change24h in percent against the price of a day ago; of a market that is younger, against its first. */
const sourceAt = (now: number): ListSource => ({
  fields: sql`
    m.id, m.market_name as "marketName", m.icon, m.spot, m.future, m.second, m.ieo, m.price_precision as "pricePrecision",
    m.amount_precision as "amountPrecision", m.min_amount as "minAmount", m.max_amount as "maxAmount",
    m.maker_fee as "makerFee", m.taker_fee as "takerFee", m.max_leverage as "maxLeverage",
    m.maintenance_rate as "maintenanceRate", m.withdraw_fee as "withdrawFee", m.withdraw_min as "withdrawMin",
    m.withdraw_max as "withdrawMax", m.recharge_state as "rechargeState", m.withdraw_state as "withdrawState", m.networks,
    m.sort, m.state, m.price, round((m.price / d.price - 1) * 100, 4) as change24h, m.version,
    m.created_at as "createdAt", m.updated_at as "updatedAt"`,
  from: sql`market m left join lateral (
    select coalesce(
      (select t.price from tick t where t.market_id = m.id and t.at <= ${now - DAY_MS} order by t.at desc, t.id desc limit 1),
      (select t.price from tick t where t.market_id = m.id order by t.at, t.id limit 1)) as price
  ) d on true`,
  id: 'm.id',
  createdAt: 'm.created_at',
  filters: { marketName: sql`lower(m.market_name)`, state: 'm.state' },
  sort: { sort: 'm.sort', price: 'm.price' },
});

export const listMarkets = defineList(calls.list, ({ now }) => sourceAt(now), { sort: 'sort' });

export async function listMarketNames(ctx: Pick<Ctx, 'db'>): Promise<MarketName[]> {
  const { rows } = await sql<MarketName>`
    select id, market_name as "marketName" from market order by sort, id`.execute(ctx.db);
  return rows;
}

/** Locks markets in the order of their ids, so that nobody else's tick comes in between; unknown names are left out. */
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
 * Records ticks, in their order, and makes the last of each market its price; the only statements in the product that write
 * one. The markets are locked and no tick is older than its market's last one.
 *
 * @param ticks at in unix milliseconds, their own time and not when they arrived
 */
export async function insertTicks(
  db: Db,
  ticks: readonly { marketId: number; tick: { price: string; volume?: string; at: number } }[],
  now: number,
): Promise<void> {
  if (ticks.length === 0) return;
  const last = new Map(ticks.map(({ marketId, tick }) => [marketId, tick]));
  await sql`
    with written as (
      insert into tick (market_id, price, volume, at, recorded_at)
      select t.market_id, t.price, t.volume, t.at, ${now}
      from unnest(${ticks.map(({ marketId }) => marketId)}::bigint[], ${ticks.map(({ tick }) => tick.price)}::numeric[],
        ${ticks.map(({ tick }) => tick.volume ?? null)}::numeric[], ${ticks.map(({ tick }) => tick.at)}::bigint[])
        with ordinality as t(market_id, price, volume, at, n) order by t.n
    )
    update market m set price = l.price, price_at = l.at
    from unnest(${[...last.keys()]}::bigint[], ${[...last.values()].map(({ price }) => price)}::numeric[],
      ${[...last.values()].map(({ at }) => at)}::bigint[]) as l(market_id, price, at)
    where m.id = l.market_id`.execute(db);
}

const HALT_COLUMN = { 1: 'halted_at', 2: 'future_halted_at', 3: 'second_halted_at' } as const;

/**
 * Whether price protection has halted a market.
 *
 * @param marketType 1 spot, 2 futures, 3 second contracts: a plan halts its own type only
 */
export async function isHalted(db: Db, marketId: number, marketType: 1 | 2 | 3 = 1): Promise<boolean> {
  const { rows } = await sql`
    select from market where id = ${marketId} and ${sql.ref(HALT_COLUMN[marketType])} is not null`.execute(db);
  return rows.length > 0;
}
