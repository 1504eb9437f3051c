import type { EventData } from '@hengtai/contract/gateway/events.schema';
import { Declared } from '../../../app/declared.ts';
import type { EventBatch, Writer } from '../../../gateway/event-batch.ts';
import type { EventMarket } from '../../../gateway/lookup.store.ts';
import { Undone } from '../../../gateway/rejected.ts';
import type { Db } from '../../../database/connect.ts';
import { insertTicks } from './market.store.ts';

type Tick = EventData['tick'];

interface TickToWrite {
  marketId: number;
  tick: Tick;
  now: number;
}

/**
 * Runs after ticks were recorded, in their transaction.
 *
 * @returns whether a market was halted
 */
export type TickGuard = (db: Db, ticks: readonly TickToWrite[], now: number) => Promise<boolean>;

export const tickGuards = new Declared<readonly TickGuard[]>('what guards ticks');

async function runGuards(...args: Parameters<TickGuard>): Promise<boolean> {
  let isHalted = false;
  for (const guard of tickGuards.get()) isHalted = (await guard(...args)) || isHalted;
  return isHalted;
}

/**
 * Records ticks in order and halts markets whose price left its band. They are written last, so that the other rows of a
 * batch are valued at the price before it; a row after a tick takes the price from `findWaitingPrice`.
 */
export const ticks: Writer<TickToWrite> = {
  tables: ['tick', 'market', 'plan', 'halt', 'command'],
  isLast: true,
  write: async (db, rows, isDeferred) => {
    const now = rows.at(-1)?.now ?? 0;
    await insertTicks(db, rows, now);
    const isHalted = await runGuards(db, rows, now);
    if (isHalted && isDeferred) throw new Undone('halted');
  },
};

/** The price of the last tick of a coin in this batch; undefined if the stored prices are the last. */
export async function findWaitingPrice(batch: EventBatch, coin: EventMarket): Promise<string | undefined> {
  const waiting = batch.waitingRows(ticks);
  // The value of a coin without a price of its own may come from any waiting tick, so they are written first.
  if (!coin.isPriced && waiting.length > 0) await batch.flush();
  return waiting.findLast((row) => row.marketId === coin.id)?.tick.price;
}
