import { CODE } from '@hengtai/contract/envelope';
import { FRESH_MINUTES, OTP_DISABLED, OTP_ENABLED } from '@hengtai/contract/otp';
import type { OtpCode, OtpDisable, OtpPassword, OtpRecovery, OtpSetup, OtpState } from '@hengtai/contract/otp.schema';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import { LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/session';
import { recordAudit } from '../../actions/audit.store.ts';
import type { App, Caller } from '../../core/context.ts';
import { type Db, inTransaction, withRetries } from '../../postgres/connect.ts';
import { credentialOf } from '../../actions/authority.ts';
import type { SessionCall, SessionHandler } from '../../http/handler.ts';
import { Refused, refuse } from '../../core/refuse.ts';
import { beginGuess } from '../session/guess-limit.rules.ts';
import { passwordMatches } from '../../core/password.ts';
import { findCredentials, lockOperator } from '../session/login.store.ts';
import { endOtherSessions, lockSession, recordFreshCode, otpPolicy } from '../../actions/session.store.ts';
import { newSecret, plainCode, stepOf, uriOf } from './code.ts';
import { decryptSecret, encryptSecret } from '../../core/otp-key.ts';
import { dropSecret, findOtpState, findSecret, putSecret, setOtpSince, takeStep } from './otp.store.ts';
import { issueRecoveryCodes, spendCode } from './otp.rules.ts';
import { findCurrentKey } from './otp-key.rules.ts';

function callerOf(call: SessionCall): Caller & { sessionId: number } {
  const { caller } = call;
  if (!caller || caller.sessionId === null) throw refuse(refusals.sessionInvalid);
  return { ...caller, sessionId: caller.sessionId };
}

/** The operator's code status, locked until the transaction ends. */
interface LockedState {
  db: Db;
  otpSince: number | null;
}

/**
 * Runs an action about the caller's own codes in one transaction that locks the operator and writes the audit row. A wrong
 * code or password is audited in a separate transaction.
 *
 * @param passwordHash the hash that the password was checked against; if it changed since, the action is refused
 * @throws Refused 400 when the session is over, or as `work` does
 */
async function changeOwnCodes<T>(
  app: App,
  caller: Caller & { sessionId: number },
  action: string,
  work: (state: LockedState) => Promise<{ data: T; after?: object }>,
  passwordHash?: string,
): Promise<T> {
  const target = { action, targetType: 'agent', targetId: caller.operator.id };
  try {
    return await withRetries(() =>
      inTransaction(app.system, async (db) => {
        const operator = await lockOperator(db, caller.operator.id, passwordHash);
        if (!operator || !(await lockSession(db, credentialOf(caller).tokenHash, app.clock)))
          throw refuse(refusals.sessionInvalid);
        const { data, after } = await work({ db, ...operator });
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
async function withGuessLimit<T>(
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
async function verifyPassword(app: App, { operator }: Caller, password: string): Promise<string | undefined> {
  const found = await findCredentials(app.system, operator.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, password);
  return matches ? (found?.passwordHash ?? undefined) : undefined;
}

export const otpState: SessionHandler<object> = async (call) => {
  const { operator, sessionId, now } = callerOf(call);
  const { since, recovery, freshAt } = await findOtpState(call.app.system, operator.id, sessionId);
  const { required } = await otpPolicy(call.app.system);
  const until = freshAt === null ? null : freshAt + FRESH_MINUTES * 60_000;
  const data: OtpState = {
    state: since === null ? 0 : 1,
    since,
    recovery: since === null ? 0 : recovery,
    required,
    freshUntil: until !== null && until > now ? until : null,
  };
  return { code: CODE.ok, msg: 'ok', data };
};

/** Creates a new secret. It takes effect once `otpConfirm` receives a code of it. */
export const otpSetup: SessionHandler<OtpPassword> = async (call, { password }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, now } = caller;
  const data: OtpSetup = await withGuessLimit(app, caller, 'password', async () => {
    const hash = await verifyPassword(app, caller, password);
    return changeOwnCodes(
      app,
      caller,
      'otp.setup',
      async ({ db, otpSince }) => {
        if (hash === undefined) throw refuse(refusals.wrongPassword);
        if (otpSince !== null) throw refuse(refusals.otpEnabled);
        const secret = newSecret();
        const key = await findCurrentKey(app.otpKeys.keys(), db);
        await putSecret(db, operator.id, { secret: encryptSecret(key, operator.id, secret), keyId: key.id }, now);
        return { data: { secret, uri: uriOf(secret, operator.account) } };
      },
      hash,
    );
  });
  return { code: CODE.ok, msg: '操作成功', data };
};

/** Turns codes on with the first code of a new secret, and ends the other sessions, which were opened without one. */
export const otpConfirm: SessionHandler<OtpCode> = async (call, { code }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, sessionId, now } = caller;
  const recovery = await withGuessLimit(app, caller, 'otp', () =>
    changeOwnCodes(app, caller, 'otp.confirm', async ({ db, otpSince }) => {
      if (otpSince !== null) throw refuse(refusals.otpEnabled);
      const found = await findSecret(db, operator.id);
      if (!found) throw refuse(refusals.otpNotSetUp);
      const step = stepOf(decryptSecret(app.otpKeys.keys(), operator.id, found.secret), plainCode(code), now);
      if (step === undefined || !(await takeStep(db, operator.id, step))) throw refuse(refusals.wrongCode);
      await setOtpSince(db, operator.id, now, now);
      const data = await issueRecoveryCodes(app, db, operator.id, now);
      await recordFreshCode(db, sessionId, now);
      const ended = await endOtherSessions(db, operator.id, sessionId, 'otp', now);
      return { data, after: { otp: 1, ended } };
    }),
  );
  return { code: CODE.ok, msg: OTP_ENABLED, data: { recovery } satisfies OtpRecovery };
};

/**
 * Runs an action that needs a valid code of the caller.
 *
 * @param earlierRefusal refuses inside the audited transaction, before the code is spent
 * @throws Refused 409 when codes are off, 401 when the code is wrong, 429 after too many guesses
 */
async function withCode<T>(
  call: SessionCall,
  action: string,
  code: string,
  work: (db: Db, caller: Caller & { sessionId: number }) => Promise<T>,
  earlierRefusal?: Refusal,
  passwordHash?: string,
): Promise<T> {
  const { app } = call;
  const caller = callerOf(call);
  return withGuessLimit(app, caller, 'otp', () =>
    changeOwnCodes(
      app,
      caller,
      action,
      async ({ db, otpSince }) => {
        if (earlierRefusal) throw refuse(earlierRefusal);
        if (otpSince === null) throw refuse(refusals.otpDisabled);
        const codeKind = await spendCode(app, db, caller.operator.id, code, caller.now);
        if (!codeKind) throw refuse(refusals.wrongCode);
        return { data: await work(db, caller), after: { by: codeKind } };
      },
      passwordHash,
    ),
  );
}

export const otpDisable: SessionHandler<OtpDisable> = async (call, { password, code }) => {
  const caller = callerOf(call);
  const { app } = call;
  await withGuessLimit(app, caller, 'password', async () => {
    const hash = await verifyPassword(app, caller, password);
    const work = async (db: Db, { operator, now }: Caller): Promise<void> => {
      await dropSecret(db, operator.id);
      await setOtpSince(db, operator.id, null, now);
    };
    await withCode(call, 'otp.disable', code, work, hash === undefined ? refusals.wrongPassword : undefined, hash);
  });
  return { code: CODE.ok, msg: OTP_DISABLED, data: null };
};

/** Replaces the recovery codes. */
export const otpRecovery: SessionHandler<OtpCode> = async (call, { code }) => {
  const work = (db: Db, { operator, now }: Caller): Promise<string[]> =>
    issueRecoveryCodes(call.app, db, operator.id, now);
  const recovery = await withCode(call, 'otp.recovery', code, work);
  return { code: CODE.ok, msg: '操作成功', data: { recovery } satisfies OtpRecovery };
};

/** Records a fresh code, which allows sensitive actions in this session for `FRESH_MINUTES`. */
export const otpFresh: SessionHandler<OtpCode> = async (call, { code }) => {
  await withCode(call, 'otp.fresh', code, (db, { sessionId, now }) => recordFreshCode(db, sessionId, now));
  return { code: CODE.ok, msg: '验证成功', data: null };
};
