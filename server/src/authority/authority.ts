import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type App, type Caller, type Credential, type Ctx, can } from '../app/context.ts';
import { type Db, withRetries, runInScope } from '../database/connect.ts';
import { TreeLocked, resetScope, scopeOf } from '../database/tree.ts';
import { refuse } from '../app/refuse.ts';
import { type FoundSession, findSession, isLive } from './session.store.ts';
import { requireSetUp } from './fresh.ts';

/**
 * Runs an action in a transaction that reads and locks the caller's session, operator, abilities and scope until it ends.
 * A revocation that committed earlier takes effect; a later one waits for this transaction.
 *
 * @throws Refused 400 when the session is over, 428 when a required setup is missing, 403 without the ability
 */
export async function withAuthority<T>(
  app: App,
  caller: Caller,
  call: CallSpec,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const run = (mode: 'action' | 'treeChange'): Promise<T> =>
    withRetries(() =>
      app.state.locks.run(caller.call, (check) =>
        runInScope(
          app.requests,
          caller.scope,
          caller.operator.id,
          async (db) => {
            const current = await lockCaller(app, db, caller);
            authorize(current, call);
            return work({ ...current, db });
          },
          mode,
          check,
        ),
      ),
    );
  try {
    return await run('action');
  } catch (error) {
    if (error instanceof TreeLocked) return run('treeChange');
    throw error;
  }
}

/** @throws Refused 428 when a required setup is missing, 403 without the ability of the call */
export function authorize(caller: Caller, call: CallSpec): void {
  requireSetUp(caller, call);
  if (call.ability !== undefined && !can(caller.operator, call.ability)) throw refuse(refusals.forbidden);
}

/** The transaction already holds the tree lock, so the version of the tree cannot change after this statement. */
async function lockCaller(app: App, db: Db, caller: Caller): Promise<Caller> {
  const { tokenHash, treeVersion } = credentialOf(caller);
  const found = await findSession(db, tokenHash, { lock: 'share' });
  const now = app.clock.now();
  requireLive(found, now);
  const sawAll = caller.scope.kind === 'all';
  const isSameScope = found.seesAll ? sawAll : !sawAll && found.treeVersion === treeVersion;
  const scope = isSameScope ? caller.scope : await resetScope(db, found.operatorId, found);
  return { ...caller, ...authorityOf(app, found, now), scope };
}

/**
 * Rereads the caller without locks, for calls that are not actions: the session may end while the body is received.
 *
 * @throws Refused 400 when the session is over
 */
export async function refreshCaller(app: App, caller: Caller): Promise<Caller> {
  const found = await findSession(app.system, credentialOf(caller).tokenHash);
  const now = app.clock.now();
  requireLive(found, now);
  const scope = await scopeOf(app.system, found.operatorId, found);
  return { ...caller, ...authorityOf(app, found, now), scope };
}

/**
 * Refuses what goes on after the session, with all abilities of the operator, to a session that may use only some.
 *
 * @throws Refused 403
 */
export function requireUnlimited({ allowedAbilities }: Pick<Caller, 'allowedAbilities'>): void {
  if (allowedAbilities) throw refuse(refusals.limitedSession);
}

/**
 * Refuses what tells about, or changes, every tree of agents.
 *
 * @throws Refused 403 without full scope
 */
export function requireHouse({ scope }: Pick<Caller, 'scope'>): void {
  if (scope.kind !== 'all') throw refuse(refusals.forbidden);
}

/** @throws Refused 403 for operators other than the top-level admin */
export function requireTop({ operator }: Pick<Caller, 'operator'>): void {
  if (!operator.top) throw refuse(refusals.forbidden);
}

/** @throws Refused 400 when the caller has no session */
export function credentialOf({ credential }: Caller): Credential {
  if (!credential) throw refuse(refusals.sessionInvalid);
  return credential;
}

function requireLive(found: FoundSession | undefined, now: number): asserts found {
  if (!found || !isLive(found, now)) throw refuse(refusals.sessionInvalid);
}

/** The caller's operator and second factors, from the current session row. */
export function authorityOf(app: App, found: FoundSession, now: number) {
  const { operatorId: id, account, top, abilities, sessionId, freshAt } = found;
  const hasFactor = found.otpSince !== null || found.passkeyRps.length > 0;
  const hasPasskey = app.relyingParty !== undefined && found.passkeyRps.includes(app.relyingParty.id);
  return {
    operator: { id, account, top, abilities },
    allowedAbilities: found.allowedAbilities,
    sessionId,
    factors: {
      hasFactor,
      hasPasskey,
      acceptsCode: found.otpSince !== null && !(hasPasskey && found.passkeyOnly),
      isSetupDue: !hasFactor && found.otpRequired,
      isPasskeyDue: !hasPasskey && found.passkeyOnly,
      // The provider is a first factor, however it verified the person.
      isFactorRequired: found.otpFresh || found.byOidc,
      freshAt,
      isPasswordDue: found.passwordDue,
    },
    now,
    clockOffset: app.clock.offset(),
  };
}
