import { literals } from '../../../database/literals.ts';
import { openFutureStates } from '@hengtai/contract/trading/future/facts';
import { openSpotStates } from '@hengtai/contract/trading/spot/facts';
import type { MarketSettings } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import type { PlatformState } from './market-platform.rules.ts';

/** What the platform saved last of a market, and what operators hold closed of it. */
export async function findPlatformState(db: Db, marketName: string): Promise<PlatformState> {
  const { rows } = await sql<PlatformState>`
    select platform_version as version, platform as settings, platform_held as held from market
    where market_name = ${marketName}`.execute(db);
  return rows[0] ?? { version: 0, settings: {}, held: {} };
}

export async function savePlatformState(db: Db, id: number, state: PlatformState): Promise<void> {
  await sql`update market set platform = ${JSON.stringify(state.settings)}::jsonb,
      platform_held = ${JSON.stringify(state.held)}::jsonb, platform_version = ${state.version}
    where id = ${id}`.execute(db);
}

/**
 * Finds a precision that is coarser than what is booked: prices and amounts of open orders and positions, and balances of a
 * coin. Only a precision that becomes coarser is compared.
 */
export async function findFinerAmounts(
  db: Db,
  id: number,
  { pricePrecision, amountPrecision }: Pick<MarketSettings, 'pricePrecision' | 'amountPrecision'>,
): Promise<'pricePrecision' | 'amountPrecision' | undefined> {
  const { rows } = await sql<{ price: boolean; amount: boolean }>`
    select m.price_precision > ${pricePrecision}::int and (
        exists (select from trade_order o where o.market_id = m.id and o.state in (${literals(...openSpotStates)})
          and scale(trim_scale(o.price)) > ${pricePrecision}::int)
        or exists (select from future_order o where o.market_id = m.id and o.state in (${literals(...openFutureStates)})
          and scale(trim_scale(o.price)) > ${pricePrecision}::int)) as price,
      m.amount_precision > ${amountPrecision}::int and (
        exists (select from trade_order o where o.market_id = m.id and o.state in (${literals(...openSpotStates)})
          and scale(trim_scale(coalesce(o.amount, o.filled))) > ${amountPrecision}::int)
        or exists (select from future_order o where o.market_id = m.id and o.state in (${literals(...openFutureStates)})
          and scale(trim_scale(o.rest)) > ${amountPrecision}::int)
        or exists (select from account a where a.market_id = m.id and a.user_id is not null
          and scale(trim_scale(a.balance)) > ${amountPrecision}::int)) as amount
    from market m where m.id = ${id}`.execute(db);
  if (rows[0]?.price) return 'pricePrecision';
  return rows[0]?.amount ? 'amountPrecision' : undefined;
}
