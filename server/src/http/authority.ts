import type { CallSpec } from '@hengtai/contract/endpoint';
import { refusals } from '@hengtai/contract/refusals';
import { type App, type Caller, type Credential, type Ctx, can } from '../context.ts';
import { type Db, retried, scoped } from '../db/connect.ts';
import { TreeLocked, resetScope, scopeOf } from '../db/tree.ts';
import { refuse } from '../refuse.ts';
import { type FoundSession, findSession, isLive } from '../session/session.store.ts';
import { requireSetUp } from './fresh.ts';
import { authorityOf } from './session-hook.ts';

/**
 * Runs an action in a transaction that has read, and holds until its end, what the caller may do: session, operator,
 * abilities, scope and one-time code. A revocation that committed before is seen; a later one waits for this transaction.
 *
 * @throws Refused 400 when the session is over, 428 and 403 as the call demands
 */
export async function withAuthority<T>(
  app: App,
  caller: Caller,
  call: CallSpec,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const run = (mode: 'action' | 'treeChange'): Promise<T> =>
    retried(() =>
      scoped(
        app.requests,
        caller.scope,
        caller.operator.id,
        async (db) => {
          const current = await holdCaller(app, db, caller);
          authorize(current, call);
          return work({ ...current, db });
        },
        mode,
      ),
    );
  try {
    return await run('action');
  } catch (error) {
    if (error instanceof TreeLocked) return run('treeChange');
    throw error;
  }
}

/** Refuses by what the call demands of everybody who makes it. */
export function authorize(caller: Caller, call: CallSpec): void {
  requireSetUp(caller, call);
  if (call.ability !== undefined && !can(caller.operator, call.ability)) throw refuse(refusals.forbidden);
}

/** The tree lock is held already, so the version of the tree cannot fall behind what this statement sees. */
async function holdCaller(app: App, db: Db, caller: Caller): Promise<Caller> {
  const { tokenHash, treeVersion } = credentialOf(caller);
  const found = await findSession(db, tokenHash, { lock: 'share' });
  const now = app.clock.now();
  requireLive(found, now);
  const sawAll = caller.scope.kind === 'all';
  const isSame = found.seesAll ? sawAll : !sawAll && found.treeVersion === treeVersion;
  const scope = isSame ? caller.scope : await resetScope(db, found.operatorId, found);
  return { ...caller, ...authorityOf(app, found, now), scope };
}

/** The caller as it is now that the body has been read, without locks: for calls that are no actions. */
export async function refreshCaller(app: App, caller: Caller): Promise<Caller> {
  const found = await findSession(app.system, credentialOf(caller).tokenHash);
  const now = app.clock.now();
  requireLive(found, now);
  const scope = await scopeOf(app.system, found.operatorId, found);
  return { ...caller, ...authorityOf(app, found, now), scope };
}

export function credentialOf({ credential }: Caller): Credential {
  if (!credential) throw refuse(refusals.sessionInvalid);
  return credential;
}

function requireLive(found: FoundSession | undefined, now: number): asserts found {
  if (!found || !isLive(found, now)) throw refuse(refusals.sessionInvalid);
}
