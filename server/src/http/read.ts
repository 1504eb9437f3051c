import type { App, Caller } from '../core/context.ts';
import { type Db, runInScope } from '../postgres/connect.ts';

/** Runs `work` on the primary in one read-only snapshot with the caller's scope. */
export const readFromPrimary = <T>(
  { requests }: App,
  { scope, operator }: Caller,
  work: (db: Db) => Promise<T>,
  mode: 'read' | 'list' = 'read',
): Promise<T> => runInScope(requests, scope, operator.id, work, mode);

/**
 * Runs `work` on the replica if it is configured and has caught up, else on the primary.
 *
 * @param mode `list` limits the time of each statement
 */
export async function readList<T>(
  app: App,
  caller: Caller,
  work: (db: Db) => Promise<T>,
  mode: 'read' | 'list' = 'list',
  mayRetry: () => boolean = () => true,
): Promise<T> {
  const result = await app.replica?.read(caller, work, mode, mayRetry);
  return result ? result.found : readFromPrimary(app, caller, work, mode);
}
