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

/** change24h in percent, against the last tick that is a day old or older; null while there is none. */
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
    select t.price from tick t where t.market_id = m.id and t.at <= ${now - DAY_MS} order by t.at desc, t.id desc limit 1
  ) d on true`,
  id: 'm.id',
  createdAt: 'm.created_at',
  filters: { marketName: 'm.market_name', state: 'm.state' },
});

export const listMarkets = defineList(calls.list, ({ now }) => sourceAt(now), { sort: 'id' });

export async function listMarketNames(ctx: Pick<Ctx, 'db'>): Promise<MarketName[]> {
  const { rows } = await sql<MarketName>`
    select id, market_name as "marketName" from market order by sort, id`.execute(ctx.db);
  return rows;
}

/**
 * Records a tick and makes it the market's last price; the only statement in the product that writes one.
 *
 * @param tick at in unix milliseconds, its own time and not when it arrived
 * @returns false when the market has a later one already
 */
export async function insertTick(
  db: Db,
  marketId: number,
  tick: { price: string; volume?: string; at: number },
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update market set price = ${tick.price}::numeric, price_at = ${tick.at}
    where id = ${marketId} and coalesce(price_at, 0) <= ${tick.at}`.execute(db);
  if (numAffectedRows !== 1n) return false;
  await sql`insert into tick (market_id, price, volume, at, recorded_at)
    values (${marketId}, ${tick.price}::numeric, ${tick.volume ?? null}::numeric, ${tick.at}, ${now})`.execute(db);
  return true;
}
