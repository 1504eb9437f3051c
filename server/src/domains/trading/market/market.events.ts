import { EVENT_AHEAD_MS, isInSeconds } from '@hengtai/contract/gateway/gateway';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { EventHandlers, Prefetch } from '../../../gateway/handlers.ts';
import { namesIn } from '../../../gateway/prefetch.ts';
import { hasMarket } from '../../../gateway/platform-scope.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { saveMarket } from './market-saved.events.ts';
import { lockMarkets } from './market.store.ts';
import { ticks } from './tick.store.ts';

export const marketEvents: EventHandlers<'tick' | 'market.saved'> = {
  'market.saved': saveMarket,

  /** The only writer of prices. The time of a tick is data.at, which never decreases within a market. */
  tick: async ({ batch, now }, data) => {
    const market = await batch.once(keyOf(data.market), async () => (await lockMarkets(batch.db, [data.market]))[0]);
    if (!market || !hasMarket(batch.scope, data.market)) throw reject('unknown', 'market');
    if (data.market === SETTLEMENT) throw rejectField('market', 'another market than USDT');
    if (isInSeconds(data.at)) throw rejectField('at', 'unix milliseconds');
    if (data.at > now + EVENT_AHEAD_MS) throw reject('inFuture');
    if (data.at < (market.priceAt ?? 0)) throw reject('outdated');
    await batch.insert(ticks, { marketId: market.id, tick: data, now });
    // Rows that were valued without a price get one from here on.
    if (market.priceAt === null) await batch.flush();
    market.priceAt = data.at;
  },
};

const keyOf = (market: string): string => `tick ${market}`;

/** Locks the markets of all ticks of a batch in one statement. */
export const prefetchTickMarkets: Prefetch = async (batch, events) => {
  const names = namesIn(events, new Map([['tick', 'market']]));
  if (names.length === 0) return;
  for (const market of await lockMarkets(batch.db, names)) batch.remember(keyOf(market.marketName), market);
};
