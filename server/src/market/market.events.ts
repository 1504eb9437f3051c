import { SETTLEMENT } from '@hengtai/contract/money';
import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway';
import type { EventHandlers } from '../gateway/events.ts';
import { mustFindMarket } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';
import { insertTick } from './market.store.ts';

export const marketEvents: EventHandlers<'tick'> = {
  /** The only writer of prices. Its time is data.at, and the record of a market never goes back in time. */
  tick: async ({ db, now }, data) => {
    const market = await mustFindMarket(db, data.market);
    if (market.marketName === SETTLEMENT) throw reject('invalid', 'market');
    if (data.at > now + EVENT_AHEAD_MS) throw reject('ahead');
    if (!(await insertTick(db, market.id, data, now))) throw reject('late');
  },
};
