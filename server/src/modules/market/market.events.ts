import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway';
import type { EventData } from '@hengtai/contract/gateway.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import type { EventBatch, Writer } from '../../gateway/event-batch.ts';
import type { EventHandlers } from '../../gateway/events.ts';
import { Undone, reject } from '../../gateway/rejected.ts';
import { guardBands } from '../price-protection/price-protection-guard.ts';
import { insertTicks, lockMarkets } from './market.store.ts';

type Tick = EventData['tick'];

interface TickToWrite {
  marketId: number;
  tick: Tick;
  now: number;
}

/**
 * Records ticks in order and halts markets whose price left its band. They are written last, so that the other rows of a
 * batch are valued at the price before it; a row after a tick takes the price from `findWaitingPrice`.
 */
const ticks: Writer<TickToWrite> = {
  tables: ['tick', 'market', 'plan', 'command'],
  isLast: true,
  write: async (db, rows, isDeferred) => {
    const now = rows.at(-1)?.now ?? 0;
    await insertTicks(db, rows, now);
    const isHalted = await guardBands(db, rows, now);
    if (isHalted && isDeferred) throw new Undone('halted');
  },
};

export const marketEvents: EventHandlers<'tick'> = {
  /** The only writer of prices. The time of a tick is data.at, which never decreases within a market. */
  tick: async ({ batch, now }, data) => {
    const market = await batch.once(keyOf(data.market), async () => (await lockMarkets(batch.db, [data.market]))[0]);
    if (!market) throw reject('unknown', 'market');
    if (data.market === SETTLEMENT) throw reject('invalid', 'market');
    if (data.at > now + EVENT_AHEAD_MS) throw reject('ahead');
    if (data.at < (market.priceAt ?? 0)) throw reject('late');
    await batch.insert(ticks, { marketId: market.id, tick: data, now });
    // Rows that were valued without a price get one from here on.
    if (market.priceAt === null) await batch.flush();
    market.priceAt = data.at;
  },
};

const keyOf = (market: string): string => `tick ${market}`;

/** Locks the markets of all ticks of a batch in one statement. */
export async function prefetchTickMarkets(batch: EventBatch, names: readonly string[]): Promise<void> {
  for (const market of await lockMarkets(batch.db, names)) batch.remember(keyOf(market.marketName), market);
}

/** The price of the last tick of a market in this batch; undefined if the stored price is the last. */
export const findWaitingPrice = (batch: EventBatch, marketId: number): string | undefined =>
  batch.waitingRows(ticks).findLast((row) => row.marketId === marketId)?.tick.price;
