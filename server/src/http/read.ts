import type { App, Caller } from '../app/context.ts';
import { type Db, runInScope } from '../database/connect.ts';

/** Runs `work` on the primary in one read-only snapshot with the caller's scope. */
export const readFromPrimary = <T>(
  { requests, state }: App,
  { scope, operator, call }: Caller,
  work: (db: Db) => Promise<T>,
): Promise<T> => state.locks.run(call, (check) => runInScope(requests, scope, operator.id, work, 'read', check));

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
  const { replica, requests, state } = app;
  const { scope, operator, call } = caller;
  return state.locks.run(call, async (check) => {
    const result = await replica?.read(caller, work, mode, mayRetry);
    if (replica) state.metrics.replicaReads.inc({ server: result ? 'replica' : 'primary' });
    return result ? result.found : runInScope(requests, scope, operator.id, work, mode, check);
  });
}
