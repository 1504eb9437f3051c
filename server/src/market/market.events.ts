import { SETTLEMENT } from '@hengtai/contract/money';
import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway';
import { sql } from 'kysely';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindMarket } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';

export const marketEvents: EventHandlers<'tick'> = {
  /** The only writer of prices. Its time is data.at, and the record of a market never goes back in time. */
  tick: async ({ db, now }, data) => {
    const market = await mustFindMarket(db, data.market);
    if (market.marketName === SETTLEMENT) throw reject('invalid', 'market');
    if (data.at > now + EVENT_AHEAD_MS) throw reject('ahead');
    const { numAffectedRows } = await sql`
      update market set price = ${data.price}::numeric, price_at = ${data.at}
      where id = ${market.id} and coalesce(price_at, 0) <= ${data.at}`.execute(db);
    if (numAffectedRows !== 1n) throw reject('late');
    await sql`insert into tick (market_id, price, volume, at, recorded_at)
      values (${market.id}, ${data.price}::numeric, ${data.volume ?? null}::numeric, ${data.at}, ${now})`.execute(db);
  },
};
