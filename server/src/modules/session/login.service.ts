import { CODE } from '@hengtai/contract/envelope';
import { refusals } from '@hengtai/contract/refusals';
import { LOGIN_DONE } from '@hengtai/contract/session';
import type { LoginInput } from '@hengtai/contract/session.schema';
import { type Db, inTransaction, withRetries } from '../../postgres/connect.ts';
import type { SessionHandler } from '../../http/handler.ts';
import type { Answer } from '../../actions/idempotency.ts';
import { refuse } from '../../core/refuse.ts';
import { beginGuess } from './guess-limit.rules.ts';
import { passwordMatches } from '../../core/password.ts';
import { offerFactors, verifyAssertion } from '../passkey/passkey.rules.ts';
import { findPasskeySettings } from '../passkey/passkey.store.ts';
import { type SecondFactor, spendSecondFactor } from '../passkey/second-factor.rules.ts';
import { withLoginSlot } from './login-slots.ts';
import { type Attempt, type LoginOutcome, countersOf, openLogin, recordRefusedLogin } from './login.rules.ts';
import { type Credentials, type LockedOperator, findCredentials, isKnownDevice, lockOperator } from './login.store.ts';
import { hashOf, newToken } from '../../actions/token.ts';

interface PasswordAttempt extends Attempt {
  input: LoginInput;
}

/**
 * Opens a session. Every wrong login has the same answer and takes the same time. A known device has its own counter of
 * guesses, so that attackers cannot lock the owner out.
 *
 * @throws Refused 401 for wrong credentials, 428 when a second factor is missing, 429 when a limit is reached
 */
export const login: SessionHandler<LoginInput> = async (call, input) => {
  const { app } = call;
  const now = app.clock.now();
  const device = call.device ?? newToken();
  const known = call.device !== undefined && (await isKnownDevice(app.system, input.account, hashOf(call.device)));
  return withLoginSlot(known, () => attemptLogin({ call, input, device, known, now }));
};

async function attemptLogin(attempt: PasswordAttempt): Promise<Answer & { token?: string }> {
  const { call, input, now } = attempt;
  const { app } = call;
  const guess = await beginGuess(app.system, countersOf(attempt, input.account), now);
  const found = await findCredentials(app.system, input.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, input.password);
  const outcome =
    found && matches && found.state === 1 ? await enter(attempt, found) : { refusal: refusals.wrongCredentials };
  // A right password without its second factor is not a guess.
  if (!('refusal' in outcome) || outcome.refusal.code === CODE.fresh) await guess.remove();
  if ('refusal' in outcome) {
    await recordRefusedLogin(attempt, found, outcome.refusal, guess.isLast);
    throw refuse(outcome.refusal, undefined, outcome.offer);
  }
  return { code: CODE.ok, msg: LOGIN_DONE, ...outcome };
}

/**
 * Opens the session after the password was verified. State, password and factors of the operator are checked again under a
 * lock, because they may have changed since.
 */
async function enter(attempt: PasswordAttempt, found: Credentials): Promise<LoginOutcome> {
  const { call, now } = attempt;
  const { app } = call;
  const factor = await readFactor(attempt, found);
  if (factor === 'wrong') return { refusal: refusals.wrongCredentials };
  return withRetries(() =>
    inTransaction(app.system, async (db) => {
      const operator = await lockOperator(db, found.id, found.passwordHash ?? '');
      if (!operator) return { refusal: refusals.wrongCredentials };
      if (operator.otpSince === null && operator.passkeyRps.length === 0)
        return openLogin(db, attempt, found, { isFresh: false });
      const missing = await findMissing(attempt, db, { id: found.id, ...operator }, factor);
      if (missing) return missing;
      const owner = { ...call.origin, sessionId: null, now, clockOffset: app.clock.offset(), operator: found };
      const spent = factor && (await spendSecondFactor(app, db, { ...owner, locked: operator }, factor));
      if (!spent) return { refusal: refusals.wrongCredentials };
      return openLogin(db, attempt, found, { isFresh: spent.by === 'code', factor: spent });
    }),
  );
}

/** The second factor of a login. The challenge of a passkey is used up even if its answer is wrong. */
async function readFactor(
  { call, input, now }: PasswordAttempt,
  found: Credentials,
): Promise<SecondFactor | undefined | 'wrong'> {
  if (input.passkey === undefined) return input.otp === undefined ? undefined : { code: input.otp };
  const expected = { purpose: 'login', operatorId: found.id, sessionId: null } as const;
  const passkey = await verifyAssertion(call.app, expected, input.passkey, now);
  return passkey ? { passkey } : 'wrong';
}

/** The refusal of a login whose second factor is missing, or of a kind that is not accepted; undefined if it is accepted. */
async function findMissing(
  { call, now }: Attempt,
  db: Db,
  { id, otpSince, passkeyRps }: LockedOperator & { id: number },
  factor: SecondFactor | undefined,
): Promise<Extract<LoginOutcome, { refusal: unknown }> | undefined> {
  if (factor && 'passkey' in factor) return undefined;
  if (passkeyRps.length === 0) return factor ? undefined : { refusal: refusals.freshCode };
  const { only } = await findPasskeySettings(db);
  const offer = await offerFactors(call.app, { id, hasCodes: otpSince !== null }, only, now);
  if (factor && offer.code) return undefined;
  const isElsewhere = !offer.code && offer.passkey === null;
  return {
    refusal: isElsewhere ? refusals.passkeyElsewhere : offer.code ? refusals.freshFactor : refusals.passkeyDue,
    offer,
  };
}
