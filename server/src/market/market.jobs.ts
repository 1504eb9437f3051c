import type { App } from '../context.ts';
import { underLease } from '../jobs/job.ts';
import { addUpMinutes, findMarketsToAddUp } from './candle.store.ts';

/** Aggregates the ticks of every market into candles, in short transactions. Returns whether there may be more. */
export async function addUpTicks(app: App): Promise<boolean> {
  const ids = await findMarketsToAddUp(app.system);
  let more = false;
  for (const id of ids) {
    more = (await underLease(app, 'candles', (db) => addUpMinutes(db, id))) === true || more;
  }
  return more;
}
