import { CODE } from '@hengtai/contract/wire/envelope';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App } from '../../../app/context.ts';
import { inTransaction } from '../../../database/connect.ts';
import { publishSignal } from './signal.service.ts';
import { endSignal, findOverdueSignals } from './signal.store.ts';

/** Ends overdue signals, each exactly once even with concurrent processes. */
export async function endOverdue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const overdue = await findOverdueSignals(app.system, now);
  for (const id of overdue) {
    await inTransaction(app.system, async (db) => {
      if (!(await endSignal(db, id, now))) return;
      await publishSignal(db, id, now);
      const system = { operator: null, sessionId: null, ip: '', userAgent: '', requestId: `signal-${id}`, now };
      const states = { before: { state: SIGNAL.running }, after: { state: SIGNAL.ended } };
      await recordAudit(db, system, {
        action: 'signal.ended',
        result: CODE.ok,
        targetType: 'signal',
        targetId: id,
        ...states,
      });
    });
  }
  return overdue.length > 0;
}
