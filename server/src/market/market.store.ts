import { market as calls } from '@hengtai/contract/market';
import type { MarketName, MarketRow } from '@hengtai/contract/market.schema';
import type { MarketType } from '@hengtai/contract/market-type';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type Db, prepared } from '../db/connect.ts';
import { type ListSource, defineList } from '../db/list.ts';
import { namedInScope } from '../db/scope.ts';

/** URL template of the block explorer of a row's network, or the empty text. Both columns are written in the code. */
export const explorerOf = (networks: string, network: string) => sql`
  coalesce((select n ->> 'explorer' from jsonb_array_elements(${sql.ref(networks)}) n
    where n ->> 'network' = ${sql.ref(network)} limit 1), '')`;

const DAY_MS = 24 * 3_600_000;

/** change24h in percent against the price of a day ago; of a market that is younger, against its first. */
const sourceFor = ({ now, scope }: Pick<Ctx, 'now' | 'scope'>): ListSource => ({
  fields: sql`
    m.id, m.market_name as "marketName", m.icon, m.spot, m.future, m.second, m.ieo, m.price_precision as "pricePrecision",
    m.amount_precision as "amountPrecision", m.min_amount as "minAmount", m.max_amount as "maxAmount",
    m.maker_fee as "makerFee", m.taker_fee as "takerFee", m.max_leverage as "maxLeverage",
    m.maintenance_rate as "maintenanceRate", m.withdraw_fee as "withdrawFee", m.withdraw_min as "withdrawMin",
    m.withdraw_max as "withdrawMax", m.recharge_state as "rechargeState", m.withdraw_state as "withdrawState", m.networks,
    m.sort, m.state, m.price, round((m.price / d.price - 1) * 100, 4) as change24h,
    array_remove(array[case when m.halted_at is not null then 1 end, case when m.future_halted_at is not null then 2 end,
      case when m.second_halted_at is not null then 3 end], null) as halted,
    m.version, ${namedInScope(scope, 'm.updated_by')} as "updatedBy", m.created_at as "createdAt", m.updated_at as "updatedAt"`,
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

export const listMarkets = defineList(calls.list, sourceFor, { sort: 'sort' });

/** One market with every field, for any operator: markets belong to no tree. */
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
 * Records ticks, in their order, and makes the last of each market its price: by the one statement that writes a price,
 * which lies in the database and runs with rights that the server itself does not have. The markets are locked and no tick
 * is older than its market's last one.
 *
 * @param ticks at in unix milliseconds, their own time and not when they arrived
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

/** Where a market keeps since when each kind of its trading is halted. */
export const HALT_COLUMN = { 1: 'halted_at', 2: 'future_halted_at', 3: 'second_halted_at' } as const;

/**
 * Whether price protection has halted a market.
 *
 * @param marketType 1 spot, 2 futures, 3 binary contracts: a plan halts its own type only
 */
export async function isHalted(db: Db, marketId: number, marketType: MarketType = 1): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select from market where id = ${marketId} and ${sql.ref(HALT_COLUMN[marketType])} is not null`.execute(db);
  return rows.length > 0;
}
