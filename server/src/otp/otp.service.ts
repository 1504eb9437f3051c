import { CODE } from '@hengtai/contract/envelope';
import { FRESH_MINUTES, OTP_DISABLED, OTP_ENABLED } from '@hengtai/contract/otp';
import type { OtpCode, OtpDisable, OtpPassword, OtpRecovery, OtpSetup, OtpState } from '@hengtai/contract/otp.schema';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import { LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/session';
import { recordAudit } from '../audit/audit.store.ts';
import type { App, Caller } from '../context.ts';
import { type Db, inTransaction, retried } from '../db/connect.ts';
import { credentialOf } from '../http/authority.ts';
import type { SessionCall, SessionHandler } from '../http/handler.ts';
import { Refused, refuse } from '../refuse.ts';
import { beginGuess } from '../session/guard.ts';
import { passwordMatches } from '../session/password.ts';
import { findCredentials, holdOperator } from '../session/login.store.ts';
import { endOtherSessions, holdSession, recordFreshCode, otpPolicy } from '../session/session.store.ts';
import { newSecret, plainCode, stepOf, uriOf } from './code.ts';
import { seal, unseal } from './key.ts';
import { dropSecret, findOtpState, findSecret, putSecret, setOtpSince, takeStep } from './otp.store.ts';
import { giveRecovery, spendCode } from './spend.ts';

function callerOf(call: SessionCall): Caller & { sessionId: number } {
  const { caller } = call;
  if (!caller || caller.sessionId === null) throw refuse(refusals.sessionInvalid);
  return { ...caller, sessionId: caller.sessionId };
}

/** What an action about one's own codes finds, held until its transaction ends. */
interface Held {
  db: Db;
  otpSince: number | null;
}

/**
 * One action about one's own codes: a transaction in which the operator stands still, with its audit row. A refusal is
 * audited in a transaction of its own.
 *
 * @param passwordHash what the password was checked against, where it was; another one meanwhile refuses
 */
async function own<T>(
  app: App,
  caller: Caller & { sessionId: number },
  action: string,
  work: (held: Held) => Promise<{ data: T; after?: object }>,
  passwordHash?: string,
): Promise<T> {
  const target = { action, targetType: 'agent', targetId: caller.operator.id };
  try {
    return await retried(() =>
      inTransaction(app.system, async (db) => {
        const held = await holdOperator(db, caller.operator.id, passwordHash);
        if (!held || !(await holdSession(db, credentialOf(caller).tokenHash, app.clock)))
          throw refuse(refusals.sessionInvalid);
        const { data, after } = await work({ db, ...held });
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

/** Tries what was typed; wrong ones are counted for the operator, whatever session they come from. */
async function guessed<T>(app: App, caller: Caller, kind: 'password' | 'otp', work: () => Promise<T>): Promise<T> {
  const guards = [{ name: `${kind} ${caller.operator.id}`, most: LOGIN_TRIES_PER_HOUR }];
  const guess = await beginGuess(app.system, guards, caller.now);
  try {
    const done = await work();
    await guess.forgive();
    return done;
  } catch (error) {
    // Refused for another reason than the guess: it was none.
    if (error instanceof Refused && error.refusal.code !== CODE.wrongCredentials) await guess.forgive();
    throw error;
  }
}

/** The hash that the password was right against. */
async function checkedPassword(app: App, { operator }: Caller, password: string): Promise<string | undefined> {
  const found = await findCredentials(app.system, operator.account);
  const right = await passwordMatches(found?.passwordHash ?? null, password);
  return right ? (found?.passwordHash ?? undefined) : undefined;
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

/** A new secret; it counts for nothing until a code of it was given. */
export const otpSetup: SessionHandler<OtpPassword> = async (call, { password }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, now } = caller;
  const data: OtpSetup = await guessed(app, caller, 'password', async () => {
    const hash = await checkedPassword(app, caller, password);
    return own(
      app,
      caller,
      'otp.setup',
      async ({ db, otpSince }) => {
        if (hash === undefined) throw refuse(refusals.wrongPassword);
        if (otpSince !== null) throw refuse(refusals.otpEnabled);
        const secret = newSecret();
        await putSecret(db, operator.id, await seal(app.otpKey, operator.id, secret), now);
        return { data: { secret, uri: uriOf(secret, operator.account) } };
      },
      hash,
    );
  });
  return { code: CODE.ok, msg: '操作成功', data };
};

/** The first code of a new secret turns codes on; sessions that were opened without one end. */
export const otpConfirm: SessionHandler<OtpCode> = async (call, { code }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, sessionId, now } = caller;
  const recovery = await guessed(app, caller, 'otp', () =>
    own(app, caller, 'otp.confirm', async ({ db, otpSince }) => {
      if (otpSince !== null) throw refuse(refusals.otpEnabled);
      const found = await findSecret(db, operator.id);
      if (!found) throw refuse(refusals.otpNotSetUp);
      const step = stepOf(await unseal(app.otpKey, operator.id, found.secret), plainCode(code), now);
      if (step === undefined || !(await takeStep(db, operator.id, step))) throw refuse(refusals.wrongCode);
      await setOtpSince(db, operator.id, now, now);
      const data = await giveRecovery(app, db, operator.id, now);
      await recordFreshCode(db, sessionId, now);
      const ended = await endOtherSessions(db, operator.id, sessionId, 'otp', now);
      return { data, after: { otp: 1, ended } };
    }),
  );
  return { code: CODE.ok, msg: OTP_ENABLED, data: { recovery } satisfies OtpRecovery };
};

/** What needs a code that is good now: refused with 409 where there are none, with 401 where it is wrong. */
async function withCode<T>(
  call: SessionCall,
  action: string,
  code: string,
  work: (db: Db, caller: Caller & { sessionId: number }) => Promise<T>,
  check?: Refusal,
  passwordHash?: string,
): Promise<T> {
  const { app } = call;
  const caller = callerOf(call);
  return guessed(app, caller, 'otp', () =>
    own(
      app,
      caller,
      action,
      async ({ db, otpSince }) => {
        if (check) throw refuse(check);
        if (otpSince === null) throw refuse(refusals.otpDisabled);
        const spent = await spendCode(app, db, caller.operator.id, code, caller.now);
        if (!spent) throw refuse(refusals.wrongCode);
        return { data: await work(db, caller), after: { by: spent } };
      },
      passwordHash,
    ),
  );
}

export const otpDisable: SessionHandler<OtpDisable> = async (call, { password, code }) => {
  const caller = callerOf(call);
  const { app } = call;
  await guessed(app, caller, 'password', async () => {
    const hash = await checkedPassword(app, caller, password);
    const work = async (db: Db, { operator, now }: Caller): Promise<void> => {
      await dropSecret(db, operator.id);
      await setOtpSince(db, operator.id, null, now);
    };
    await withCode(call, 'otp.disable', code, work, hash === undefined ? refusals.wrongPassword : undefined, hash);
  });
  return { code: CODE.ok, msg: OTP_DISABLED, data: null };
};

/** New recovery codes for those that were used or lost. */
export const otpRecovery: SessionHandler<OtpCode> = async (call, { code }) => {
  const work = (db: Db, { operator, now }: Caller): Promise<string[]> => giveRecovery(call.app, db, operator.id, now);
  const recovery = await withCode(call, 'otp.recovery', code, work);
  return { code: CODE.ok, msg: '操作成功', data: { recovery } satisfies OtpRecovery };
};

/** Shows that the operator is there: actions that need it are done for five minutes from now on in this session. */
export const otpFresh: SessionHandler<OtpCode> = async (call, { code }) => {
  await withCode(call, 'otp.fresh', code, (db, { sessionId, now }) => recordFreshCode(db, sessionId, now));
  return { code: CODE.ok, msg: '验证成功', data: null };
};
