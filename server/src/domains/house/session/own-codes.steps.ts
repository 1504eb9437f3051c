import { CODE } from '@hengtai/contract/wire/envelope';
import { FRESH_MINUTES } from '@hengtai/contract/house/otp/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/house/session/calls';
import { recordAudit } from '../../../actions/audit.store.ts';
import { credentialOf } from '../../../authority/authority.ts';
import { notifyCredential } from '../../../actions/credential-notification.store.ts';
import { refuseFactor } from '../../../authority/fresh.ts';
import { takeProof } from '../../../authority/passkey-proof.store.ts';
import { lockSession } from '../../../authority/session.store.ts';
import type { App, Caller } from '../../../app/context.ts';
import { passwordMatches } from '../../../host/password.ts';
import { Refused, refuse, refuseMissing } from '../../../app/refuse.ts';
import type { SessionCall } from '../../../http/handler.ts';
import { type Db, inTransaction, withRetries } from '../../../database/connect.ts';
import { beginGuess } from './guess-limit.steps.ts';
import { type LockedOperator, findCredentials, lockOperator } from './login.store.ts';

export type SessionCaller = Caller & { sessionId: number };

/** @throws Refused 400 without a session */
export function callerOf({ caller }: SessionCall): SessionCaller {
  if (!caller || caller.sessionId === null) throw refuse(refusals.sessionInvalid);
  return { ...caller, sessionId: caller.sessionId };
}

/** The operator's second factors, locked until the transaction ends. */
export interface LockedState extends LockedOperator {
  db: Db;
}

interface OwnChange {
  /** Name of the audit row. */
  action: string;
  /** The hash that the password was checked against; if it changed since, the change is refused. */
  passwordHash?: string | undefined;
}

/** Actions after which the operator has other factors than before. */
const FACTOR_CHANGES: ReadonlySet<string> = new Set([
  'otp.confirm',
  'otp.disable',
  'otp.recovery',
  'passkey.add',
  'passkey.del',
]);

/**
 * Runs an action about the caller's own second factors in one transaction that locks the operator and writes the audit row.
 * A wrong code, passkey or password is audited in a separate transaction.
 *
 * @throws Refused 400 when the session is over, or as `work` does
 */
export async function changeOwnCodes<T>(
  app: App,
  caller: SessionCaller,
  { action, passwordHash }: OwnChange,
  work: (state: LockedState) => Promise<{ data: T; after?: object }>,
): Promise<T> {
  const target = { action, targetType: 'agent', targetId: caller.operator.id };
  try {
    return await withRetries(() =>
      inTransaction(app.system, async (db) => {
        const operator = await lockOperator(db, caller.operator.id, passwordHash);
        if (!operator || !(await lockSession(db, credentialOf(caller).tokenHash, app.clock)))
          throw refuse(refusals.sessionInvalid);
        const { data, after } = await work({ db, ...operator });
        if (FACTOR_CHANGES.has(action)) await notifyCredential({ db, now: caller.now }, caller.operator.id, 'factor');
        await recordAudit(db, caller, { ...target, result: CODE.ok, after });
        return data;
      }),
    );
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === CODE.wrongCredentials) {
      await inTransaction(app.system, (db) => recordAudit(db, caller, { ...target, result: CODE.wrongCredentials }));
    }
    throw error;
  }
}

/**
 * Runs `work` as a guess. Wrong guesses are counted per operator, across all of its sessions.
 *
 * @throws Refused 429 when the limit of guesses is reached, or as `work` does
 */
export async function withGuessLimit<T>(
  app: App,
  caller: Caller,
  kind: 'password' | 'otp',
  work: () => Promise<T>,
): Promise<T> {
  const counters = [{ name: `${kind} ${caller.operator.id}`, max: LOGIN_TRIES_PER_HOUR }];
  const guess = await beginGuess(app.system, counters, caller.now);
  try {
    const result = await work();
    await guess.remove();
    return result;
  } catch (error) {
    // A refusal for another reason does not count as a wrong guess.
    if (error instanceof Refused && error.refusal.code !== CODE.wrongCredentials) await guess.remove();
    throw error;
  }
}

/** @returns the stored hash that the password matches; undefined when it is wrong */
export async function verifyPassword(app: App, { operator }: Caller, password: string): Promise<string | undefined> {
  const found = await findCredentials(app.system, operator.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, password);
  return matches ? (found?.passwordHash ?? undefined) : undefined;
}

const isWithinWindow = ({ factors, now }: Caller): boolean =>
  factors.freshAt !== null && now - factors.freshAt < FRESH_MINUTES * 60_000;

/**
 * Uses up the confirmation of the caller's own call by one of its passkeys.
 *
 * @throws Refused 428 without one, 422 when the operator can only give a code
 */
export async function requireConfirmation(caller: Caller, db: Db): Promise<void> {
  if (!caller.factors.hasPasskey) throw refuseMissing('code');
  if (!(await isConfirmed(caller, db))) throw refuseFactor({ hasPasskey: true, acceptsCode: false });
}

/**
 * Requires a code within the last minutes, or the confirmation of the caller's own call by one of its passkeys, if the
 * operator has a second factor.
 *
 * @throws Refused 428 without one
 */
export async function requireFreshFactor(caller: Caller, db: Db): Promise<void> {
  if (!caller.factors.hasFactor || isWithinWindow(caller) || (await isConfirmed(caller, db))) return;
  throw refuseFactor(caller.factors);
}

async function isConfirmed({ sessionId, digest, factors, now }: Caller, db: Db): Promise<boolean> {
  return factors.hasPasskey && sessionId !== null && digest !== undefined && takeProof(db, sessionId, digest, now);
}
