import { CODE } from '@hengtai/contract/wire/envelope';
import { recordAudit } from './audit.store.ts';
import type { App, Caller } from '../app/context.ts';
import { inTransaction } from '../database/connect.ts';
import { recordNotification } from './notification.store.ts';
import { type FoundSession, endSession } from '../authority/session.store.ts';

/**
 * Ends the session of a token that was used again after its grace period, and notifies the operator. One of the two users
 * of the session has a copied token, and the server cannot tell which.
 */
export async function endReused(
  app: App,
  { sessionId, operatorId, account }: FoundSession,
  origin: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>,
): Promise<void> {
  const now = app.clock.now();
  await inTransaction(app.system, async (db) => {
    if (!(await endSession(db, sessionId, 'reused', now))) return;
    const who = { ...origin, sessionId, now, clockOffset: app.clock.offset(), operator: { id: operatorId, account } };
    const target = { targetType: 'session', targetId: sessionId, agentId: operatorId };
    await recordAudit(db, who, { action: 'session.reused', result: CODE.sessionInvalid, ...target });
    const notification = { type: 'session.reused', refType: 'session', refId: sessionId, agentId: operatorId } as const;
    await recordNotification(db, { ...notification, operatorId, detail: origin.ip, at: now, now });
  });
}
