import type { EventData } from '@hengtai/contract/gateway-events.schema';
import type { EventBatch, Writer } from '../../gateway/event-batch.ts';
import { Undone } from '../../gateway/rejected.ts';
import { guardBands } from '../price-protection/price-protection-guard.rules.ts';
import { insertTicks } from './market.store.ts';

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
export const ticks: Writer<TickToWrite> = {
  tables: ['tick', 'market', 'plan', 'command'],
  isLast: true,
  write: async (db, rows, isDeferred) => {
    const now = rows.at(-1)?.now ?? 0;
    await insertTicks(db, rows, now);
    const isHalted = await guardBands(db, rows, now);
    if (isHalted && isDeferred) throw new Undone('halted');
  },
};

/** The price of the last tick of a market in this batch; undefined if the stored price is the last. */
export const findWaitingPrice = (batch: EventBatch, marketId: number): string | undefined =>
  batch.waitingRows(ticks).findLast((row) => row.marketId === marketId)?.tick.price;
