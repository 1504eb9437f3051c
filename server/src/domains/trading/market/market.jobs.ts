import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { aggregateMinutes, findMarketsToAggregate } from './candle.store.ts';

/** Aggregates the ticks of every market into candles, in short transactions. Returns whether there may be more. */
export async function aggregateTicks(app: App): Promise<boolean> {
  const ids = await findMarketsToAggregate(app.system);
  let more = false;
  for (const id of ids) {
    more = (await underLease(app, 'candles', (db) => aggregateMinutes(db, id))) === true || more;
  }
  return more;
}
