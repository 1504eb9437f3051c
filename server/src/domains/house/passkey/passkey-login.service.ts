import { CODE } from '@hengtai/contract/wire/envelope';
import type { PasskeyFresh, PasskeyOffer } from '@hengtai/contract/house/passkey/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { LOGIN_DONE } from '@hengtai/contract/house/session/calls';
import { hashOf, newToken } from '../../../authority/token.ts';
import type { App } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';
import type { SessionCall, SessionHandler } from '../../../http/handler.ts';
import { inTransaction, withRetries } from '../../../database/connect.ts';
import { type CredentialKind, limitLogin } from '../session/credential.steps.ts';
import { beginGuess } from '../session/guess-limit.steps.ts';
import {
  type Attempt,
  type LoginOutcome,
  addressCounterOf,
  countersOf,
  openLogin,
  recordRefusedLogin,
} from '../session/login.steps.ts';
import { type Credentials, findCredentials, isKnownDevice, lockOperator } from '../session/login.store.ts';
import { type VerifiedAssertion, requestAssertion, verifyAssertion } from './passkey.steps.ts';
import { findAccountOf, findPasskeySettings } from './passkey.store.ts';
import { spendPasskey } from './second-factor.steps.ts';

/** Whether the login page offers to log in without a password, and the only address at which that works. */
export const passkeyOffer: SessionHandler<object> = async ({ app }) => {
  const data: PasskeyOffer = { alone: await isAllowedAlone(app), origin: app.relyingParty?.origin ?? null };
  return { code: CODE.ok, msg: 'ok', data };
};

const isAllowedAlone = async (app: App): Promise<boolean> =>
  app.relyingParty !== undefined && (await findPasskeySettings(app.system)).alone;

/** Challenges any passkey of this installation. Strangers may ask, so requests are limited by address. */
export const passkeyLoginBegin: SessionHandler<object> = async (call) => {
  const { app } = call;
  const now = app.clock.now();
  if (!(await isAllowedAlone(app))) throw refuse(refusals.passkeyAloneOff);
  const counter = addressCounterOf(call);
  await beginGuess(app.system, [{ ...counter, name: `challenge ${counter.name}` }], now);
  const purpose = { purpose: 'alone', operatorId: null, sessionId: null, digest: null } as const;
  return { code: CODE.ok, msg: 'ok', data: await requestAssertion(app, app.system, purpose, now) };
};

/**
 * Opens a session with a passkey alone. The authenticator must have verified the user.
 *
 * @throws Refused 401 for a wrong assertion, 403 while the setting is off, 429 when a limit is reached
 */
export const passkeyLogin =
  (kinds: readonly CredentialKind[]): SessionHandler<PasskeyFresh> =>
  async (call, { passkey: assertion }) => {
    const { app } = call;
    const now = app.clock.now();
    if (!(await isAllowedAlone(app))) throw refuse(refusals.passkeyAloneOff);
    const account = await findAccountOf(app.system, assertion.id);
    const known = account !== undefined && (await isKnown(call, account));
    const attempt: Attempt = { call, device: call.device ?? newToken(), known, now };
    const counters = account === undefined ? [addressCounterOf(call)] : countersOf(attempt, account);
    const guess = await beginGuess(app.system, counters, now);
    const expected = { purpose: 'alone', operatorId: null, sessionId: null } as const;
    const verified = await verifyAssertion(app, expected, assertion, now);
    const found = account === undefined ? undefined : await findCredentials(app.system, account);
    const outcome: LoginOutcome =
      found && verified ? await enter(kinds, attempt, found, verified) : { refusal: refusals.wrongPasskey };
    if ('refusal' in outcome) {
      await recordRefusedLogin(attempt, found, outcome.refusal, guess.isLast);
      throw refuse(outcome.refusal);
    }
    await guess.remove();
    return { code: CODE.ok, msg: LOGIN_DONE, ...outcome };
  };

const isKnown = async ({ app, device }: SessionCall, account: string): Promise<boolean> =>
  device !== undefined && isKnownDevice(app.system, account, hashOf(device));

async function enter(
  kinds: readonly CredentialKind[],
  attempt: Attempt,
  found: Credentials,
  verified: VerifiedAssertion,
): Promise<LoginOutcome> {
  const { call, now } = attempt;
  const { app } = call;
  return withRetries(() =>
    inTransaction(app.system, async (db) => {
      const locked = await lockOperator(db, found.id);
      if (!locked) return { refusal: refusals.wrongPasskey };
      const limits = await limitLogin(kinds, app, db, found.id, now);
      if ('refusal' in limits) return limits;
      const owner = { ...call.origin, sessionId: null, now, clockOffset: app.clock.offset(), operator: found, locked };
      const spent = await spendPasskey(app, db, owner, verified);
      if (!spent) return { refusal: refusals.wrongPasskey };
      return openLogin(db, attempt, found, { isFresh: false, limits, factor: { ...spent, alone: 1 } });
    }),
  );
}
