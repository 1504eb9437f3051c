import type { App } from '../../../app/context.ts';
import { inTransaction } from '../../../database/connect.ts';
import { recordSystemAudit, resumeAndNotify } from './price-protection-guard.steps.ts';
import { findOverdueHalts } from './halt.store.ts';

/** Ends overdue halts, each exactly once even with concurrent processes. */
export async function resumeOverdue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const overdue = await findOverdueHalts(app.system, now);
  for (const key of overdue) {
    await inTransaction(app.system, async (db) => {
      if (await resumeAndNotify(db, key, null, now)) await recordSystemAudit(db, 'plan.resumed', key, {}, now);
    });
  }
  return overdue.length > 0;
}
