import type { App, Caller } from '../context.ts';
import { inTransaction } from '../db/connect.ts';
import { type FoundSession, endSession } from './session.store.ts';

/** Ends the session of a token that was used again after its grace: somebody has a copy of it. */
export async function endReused(
  app: App,
  { sessionId }: FoundSession,
  _origin: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>,
): Promise<void> {
  await inTransaction(app.system, (db) => endSession(db, sessionId, 'reused', app.clock.now()));
}
