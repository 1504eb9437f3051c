import type { App } from '../context.ts';
import { inTransaction } from '../db/connect.ts';
import { recordSystemAudit, resumeAndNotify } from './price-protection-guard.ts';
import { overdueHalts } from './price-protection.store.ts';

/** Ends the halts whose time is over; each is ended once, even if several processes look at the same moment. */
export async function resumeOverdue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const overdue = await overdueHalts(app.system, now);
  for (const key of overdue) {
    await inTransaction(app.system, async (db) => {
      if (await resumeAndNotify(db, key, now)) await recordSystemAudit(db, 'plan.resumed', key, {}, now);
    });
  }
  return overdue.length > 0;
}
