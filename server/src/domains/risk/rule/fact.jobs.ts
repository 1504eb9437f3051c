import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { insertFacts } from './fact.store.ts';
import { hasUnkeyed } from '../../funds/withdraw/key-backfill.store.ts';
import { findWithoutFacts, setReached } from './fact-backfill.store.ts';

/** Withdrawals of one transaction. */
const STEP = 200;
/** Time of one run, so that the backfill leaves most of the database to others. */
const RUN_MS = 2_000;
/** A transaction that commits late can add a lower id, so younger rows are left for a later run. */
const SETTLED_MS = 60_000;

/**
 * Records the facts of withdrawals that were imported, or requested before facts were recorded. It follows the ids upward and
 * goes on where the last run of any process ended.
 */
export async function backfillFacts(app: App, stopSignal?: AbortSignal): Promise<boolean> {
  const end = Date.now() + RUN_MS;
  const mustStop = (): boolean => Date.now() >= end || stopSignal?.aborted === true;
  while (!mustStop()) {
    // Undefined if another process does it.
    const mustPause = await underLease(app, 'fact-backfill', async (db) => {
      // Facts compare the beneficiaries of withdrawals, which are unknown until all are keyed.
      if (await hasUnkeyed(db, 'withdraw')) return true;
      const { ids, reached } = await findWithoutFacts(db, app.clock.now() - SETTLED_MS, STEP);
      if (ids.length > 0) await insertFacts(db, ids);
      if (reached !== null) await setReached(db, reached);
      return reached === null;
    });
    if (mustPause !== false) break;
  }
  return false;
}
