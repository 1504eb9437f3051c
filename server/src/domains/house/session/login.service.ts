import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { LOGIN_DONE } from '@hengtai/contract/house/session/calls';
import type { LoginInput } from '@hengtai/contract/house/session/schema';
import type { SessionHandler } from '../../../http/handler.ts';
import type { Answer } from '../../../actions/idempotency.ts';
import { refuse } from '../../../app/refuse.ts';
import { beginGuess } from './guess-limit.steps.ts';
import { passwordMatches } from '../../../host/password.ts';
import { type CredentialKind, limitLogin } from './credential.steps.ts';
import { enter } from './enter.steps.ts';
import { withLoginSlot } from './login-slots.ts';
import { type Attempt, countersOf, recordRefusedLogin } from './login.steps.ts';
import { type Credentials, findCredentials, isKnownDevice } from './login.store.ts';
import { hashOf, newToken } from '../../../authority/token.ts';

interface PasswordAttempt extends Attempt {
  input: LoginInput;
}

/**
 * Opens a session. Every wrong login has the same answer and takes the same time. A known device has its own counter of
 * guesses, so that attackers cannot lock the owner out.
 *
 * @throws Refused 401 for wrong credentials, 403 where only the identity provider may open the session, 428 when a second
 *   factor is missing, 429 when a limit is reached
 */
export const login =
  (kinds: readonly CredentialKind[]): SessionHandler<LoginInput> =>
  async (call, input) => {
    const { app } = call;
    const now = app.clock.now();
    const device = call.device ?? newToken();
    const known = call.device !== undefined && (await isKnownDevice(app.system, input.account, hashOf(call.device)));
    return withLoginSlot(known, () => attemptLogin(kinds, { call, input, device, known, now }));
  };

async function attemptLogin(
  kinds: readonly CredentialKind[],
  attempt: PasswordAttempt,
): Promise<Answer & { token?: string }> {
  const { call, input, now } = attempt;
  const { app } = call;
  const guess = await beginGuess(app.system, countersOf(attempt, input.account), now);
  const found = await findCredentials(app.system, input.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, input.password);
  const outcome =
    found && matches && found.state === 1
      ? await enterByPassword(kinds, attempt, found)
      : { refusal: refusals.wrongCredentials };
  // A right password without its second factor is not a guess.
  if (!('refusal' in outcome) || outcome.refusal.code === CODE.fresh) await guess.remove();
  if ('refusal' in outcome) {
    await recordRefusedLogin(attempt, found, outcome.refusal, guess.isLast);
    throw refuse(outcome.refusal, undefined, outcome.offer);
  }
  return { code: CODE.ok, msg: LOGIN_DONE, ...outcome };
}

const enterByPassword = (kinds: readonly CredentialKind[], attempt: PasswordAttempt, found: Credentials) =>
  enter(kinds, attempt, attempt.input, found, {
    passwordHash: found.passwordHash ?? '',
    confirm: (db) => limitLogin(kinds, attempt.call.app, db, found.id, attempt.now),
  });
