import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import type { EventHandlers } from '../gateway/events.ts';
import { type EventCtx, reject } from '../gateway/rejected.ts';
import { guardBands } from '../price-protection/price-protection-guard.ts';
import { insertTicks, lockMarkets } from './market.store.ts';

type Tick = EventData['tick'];

export const marketEvents: EventHandlers<'tick'> = {
  /** The only writer of prices. Its time is data.at, and the record of a market never goes back in time. */
  tick: async (ctx, data) => {
    const [fault] = (await takeTicks(ctx, [data])).faults;
    if (fault) throw fault;
  },
};

/**
 * Ticks that follow one another, in one go; each is judged as if it had come alone behind the one before it.
 *
 * @returns for each of them what is wrong with it, or nothing where it was taken; and whether one of them halted a market
 */
export async function takeTicks(
  { db, now }: EventCtx,
  ticks: readonly Tick[],
): Promise<{ faults: (Error | undefined)[]; halted: boolean }> {
  const markets = await lockMarkets(db, [...new Set(ticks.map(({ market }) => market))]);
  const last = new Map(markets.map(({ marketName, priceAt }) => [marketName, priceAt]));
  const ids = new Map(markets.map(({ marketName, id }) => [marketName, id]));
  const taken: { marketId: number; tick: Tick }[] = [];
  const faults = ticks.map((tick) => {
    const marketId = ids.get(tick.market);
    if (marketId === undefined) return reject('unknown', 'market');
    if (tick.market === SETTLEMENT) return reject('invalid', 'market');
    if (tick.at > now + EVENT_AHEAD_MS) return reject('ahead');
    if (tick.at < (last.get(tick.market) ?? 0)) return reject('late');
    last.set(tick.market, tick.at);
    taken.push({ marketId, tick });
    return undefined;
  });
  await insertTicks(db, taken, now);
  return { faults, halted: await guardBands(db, taken, now) };
}
