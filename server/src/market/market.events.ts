import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import type { EventCtx } from '../gateway/event-batch.ts';
import type { EventHandlers } from '../gateway/events.ts';
import { reject } from '../gateway/rejected.ts';
import { guardBands } from '../price-protection/price-protection-guard.ts';
import { insertTicks, lockMarkets } from './market.store.ts';

type Tick = EventData['tick'];

export const marketEvents: EventHandlers<'tick'> = {
  /** The only writer of prices. The time of a tick is data.at, which never decreases within a market. */
  tick: async (ctx, data) => {
    const [error] = (await takeTicks(ctx, [data])).faults;
    if (error) throw error;
  },
};

/**
 * Records consecutive ticks in one statement, each checked as if it came alone after the one before it.
 *
 * @returns the error of each rejected tick at its index, and whether a tick halted a market
 */
export async function takeTicks(
  { db, now }: Pick<EventCtx, 'db' | 'now'>,
  ticks: readonly Tick[],
): Promise<{ faults: (Error | undefined)[]; halted: boolean }> {
  const markets = await lockMarkets(db, [...new Set(ticks.map(({ market }) => market))]);
  const lastAt = new Map(markets.map(({ marketName, priceAt }) => [marketName, priceAt]));
  const ids = new Map(markets.map(({ marketName, id }) => [marketName, id]));
  const accepted: { marketId: number; tick: Tick }[] = [];
  const faults = ticks.map((tick) => {
    const marketId = ids.get(tick.market);
    if (marketId === undefined) return reject('unknown', 'market');
    if (tick.market === SETTLEMENT) return reject('invalid', 'market');
    if (tick.at > now + EVENT_AHEAD_MS) return reject('ahead');
    if (tick.at < (lastAt.get(tick.market) ?? 0)) return reject('late');
    lastAt.set(tick.market, tick.at);
    accepted.push({ marketId, tick });
    return undefined;
  });
  await insertTicks(db, accepted, now);
  return { faults, halted: await guardBands(db, accepted, now) };
}
