import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { insertFacts } from './fact.store.ts';
import { hasUnkeyed } from '../../funds/withdraw/key-backfill.store.ts';
import { findUnrecorded, setReached } from './fact-backfill.store.ts';

/** Withdrawals of one transaction. */
const STEP = 200;
/** Time of one run, so that the backfill leaves most of the database to others. */
const RUN_MS = 2_000;
/** Younger rows may still be joined by one with a lower id that another transaction has not committed. */
const SETTLED_MS = 60_000;

/**
 * Records the facts of withdrawals that were imported, or requested before facts were recorded. It follows the ids upward and
 * goes on where the last run of any process ended.
 */
export async function backfillFacts(app: App, stopping?: AbortSignal): Promise<boolean> {
  const end = Date.now() + RUN_MS;
  const mustStop = (): boolean => Date.now() >= end || stopping?.aborted === true;
  while (!mustStop()) {
    const isDone = await underLease(app, 'fact-backfill', async (db) => {
      // Facts of the past compare beneficiaries.
      if (await hasUnkeyed(db, 'withdraw')) return true;
      const { ids, reached } = await findUnrecorded(db, app.clock.now() - SETTLED_MS, STEP);
      if (ids.length > 0) await insertFacts(db, ids);
      if (reached !== null) await setReached(db, reached);
      return reached === null;
    });
    if (isDone !== false) break;
  }
  return false;
}
