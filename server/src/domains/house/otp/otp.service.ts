import { CODE } from '@hengtai/contract/wire/envelope';
import { FRESH_MINUTES, OTP_DISABLED, OTP_ENABLED } from '@hengtai/contract/house/otp/calls';
import type {
  OtpCode,
  OtpDisable,
  OtpOptionalCode,
  OtpPassword,
  OtpRecovery,
  OtpSetup,
  OtpState,
} from '@hengtai/contract/house/otp/schema';
import { type Refusal, refusals } from '@hengtai/contract/wire/refusals';
import type { Db } from '../../../database/connect.ts';
import type { SessionCall, SessionHandler } from '../../../http/handler.ts';
import { refuse } from '../../../app/refuse.ts';
import { endOtherSessions, recordFreshCode, fetchOtpPolicy } from '../../../authority/session.store.ts';
import { newSecret, plainCode, uriOf } from './code.ts';
import { encryptSecret } from '../../../host/secret-key.ts';
import { dropSecret, findOtpState, findSecret, putSecret, setOtpSince } from './otp.store.ts';
import { issueRecoveryCodes, spendCode, takeCode } from './otp.steps.ts';
import { findCurrentKey } from './secret-key.steps.ts';
import {
  type SessionCaller,
  callerOf,
  changeOwnCodes,
  requireConfirmation,
  verifyPassword,
  withGuessLimit,
} from '../session/own-codes.steps.ts';

export const otpState: SessionHandler<object> = async (call) => {
  const { operator, sessionId, now } = callerOf(call);
  const { since, recovery, freshAt } = await findOtpState(call.app.system, operator.id, sessionId);
  const { required } = await fetchOtpPolicy(call.app.system);
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

/** Creates a new secret. It takes effect once `otpConfirm` receives a code of it. An operator with a passkey confirms with that. */
export const otpSetup: SessionHandler<OtpPassword> = async (call, { password }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, now } = caller;
  const data: OtpSetup = await withGuessLimit(app, caller, 'password', async () => {
    const passwordHash = await verifyPassword(app, caller, password);
    return changeOwnCodes(app, caller, { action: 'otp.setup', passwordHash }, async ({ db, otpSince }) => {
      if (passwordHash === undefined) throw refuse(refusals.wrongPassword);
      if (otpSince !== null) throw refuse(refusals.otpEnabled);
      if (caller.factors.hasFactor) await requireConfirmation(caller, db);
      const secret = newSecret();
      const key = await findCurrentKey(app.secretKeys.keys(), db);
      await putSecret(db, operator.id, { secret: encryptSecret(key, operator.id, secret, 'otp'), keyId: key.id }, now);
      return { data: { secret, uri: uriOf(secret, operator.account) } };
    });
  });
  return { code: CODE.ok, msg: '操作成功', data };
};

/** Turns codes on with the first code of a new secret, and ends the other sessions, which were opened without one. */
export const otpConfirm: SessionHandler<OtpCode> = async (call, { code }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, sessionId, now } = caller;
  const recovery = await withGuessLimit(app, caller, 'otp', () =>
    changeOwnCodes(app, caller, { action: 'otp.confirm' }, async ({ db, otpSince }) => {
      if (otpSince !== null) throw refuse(refusals.otpEnabled);
      const secret = await findSecret(db, operator.id);
      if (secret === undefined) throw refuse(refusals.otpNotSetUp);
      const typed = { operatorId: operator.id, secret, code: plainCode(code), now };
      if (!(await takeCode(app, db, typed))) throw refuse(refusals.wrongCode);
      await setOtpSince(db, operator.id, now, now);
      const data = await issueRecoveryCodes(app, db, operator.id, now);
      await recordFreshCode(db, sessionId, now);
      const ended = await endOtherSessions(db, operator.id, sessionId, 'otp', now);
      return { data, after: { otp: 1, ended } };
    }),
  );
  return { code: CODE.ok, msg: OTP_ENABLED, data: { recovery } satisfies OtpRecovery };
};

interface CodeAction {
  action: string;
  /** Without a code, a passkey must have confirmed the call. */
  code: string | undefined;
  /** Refuses inside the audited transaction, before the code is spent. */
  earlierRefusal?: Refusal | undefined;
  passwordHash?: string | undefined;
}

/**
 * Runs an action about codes that needs a second factor of the caller.
 *
 * @throws Refused 409 when codes are off, 401 when the code is wrong, 428 without a code or passkey, 429 after too many guesses
 */
async function withCode<T>(
  call: SessionCall,
  { action, code, earlierRefusal, passwordHash }: CodeAction,
  work: (db: Db, caller: SessionCaller) => Promise<T>,
): Promise<T> {
  const { app } = call;
  const caller = callerOf(call);
  return withGuessLimit(app, caller, 'otp', () =>
    changeOwnCodes(app, caller, { action, passwordHash }, async ({ db, otpSince, ...locked }) => {
      if (earlierRefusal) throw refuse(earlierRefusal);
      if (otpSince === null) throw refuse(refusals.otpDisabled);
      if (code === undefined) {
        await requireConfirmation(caller, db);
        return { data: await work(db, caller), after: { by: 'passkey' } };
      }
      const spent = await spendCode(app, db, { ...caller, locked: { otpSince, ...locked } }, code);
      if (!spent) throw refuse(refusals.wrongCode);
      return { data: await work(db, caller), after: spent };
    }),
  );
}

export const otpDisable: SessionHandler<OtpDisable> = async (call, { password, code }) => {
  const caller = callerOf(call);
  const { app } = call;
  await withGuessLimit(app, caller, 'password', async () => {
    const passwordHash = await verifyPassword(app, caller, password);
    const earlierRefusal = passwordHash === undefined ? refusals.wrongPassword : undefined;
    await withCode(
      call,
      { action: 'otp.disable', code, earlierRefusal, passwordHash },
      async (db, { operator, now }) => {
        await dropSecret(db, operator.id);
        await setOtpSince(db, operator.id, null, now);
      },
    );
  });
  return { code: CODE.ok, msg: OTP_DISABLED, data: null };
};

/** Replaces the recovery codes. */
export const otpRecovery: SessionHandler<OtpOptionalCode> = async (call, { code }) => {
  const recovery = await withCode(call, { action: 'otp.recovery', code }, (db, { operator, now }) =>
    issueRecoveryCodes(call.app, db, operator.id, now),
  );
  return { code: CODE.ok, msg: '操作成功', data: { recovery } satisfies OtpRecovery };
};

/** Records a fresh code, which allows sensitive actions in this session for `FRESH_MINUTES`. */
export const otpFresh: SessionHandler<OtpCode> = async (call, { code }) => {
  await withCode(call, { action: 'otp.fresh', code }, (db, { sessionId, now }) => recordFreshCode(db, sessionId, now));
  return { code: CODE.ok, msg: '验证成功', data: null };
};
