import type { App } from '../context.ts';
import { underLease } from '../jobs/job.ts';
import { addUp, marketsToAddUp } from './candle.store.ts';

/** Adds the ticks of every market up to candles; each step is a transaction of its own, so a long past holds nobody up. */
export async function addUpTicks(app: App): Promise<boolean> {
  const ids = await marketsToAddUp(app.system);
  let more = false;
  for (const id of ids) {
    more = (await underLease(app, 'candles', (db) => addUp(db, id))) === true || more;
  }
  return more;
}
