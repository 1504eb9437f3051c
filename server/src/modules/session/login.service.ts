import { ABILITIES, ABILITY } from '@hengtai/contract/ability';
import { CODE } from '@hengtai/contract/envelope';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import { ADDRESS_TRIES_PER_HOUR, LOGIN_DONE, LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/session';
import type { LoginData, LoginInput } from '@hengtai/contract/session.schema';
import { recordAudit } from '../../actions/audit.store.ts';
import { can } from '../../core/context.ts';
import { type Db, inTransaction, withRetries } from '../../postgres/connect.ts';
import type { SessionCall, SessionHandler } from '../../http/handler.ts';
import type { Answer } from '../../actions/idempotency.ts';
import { spendCode } from '../otp/otp.rules.ts';
import { refuse } from '../../core/refuse.ts';
import { type GuessCounter, beginGuess, networkOf } from './guess-limit.rules.ts';
import { passwordMatches } from '../../core/password.ts';
import { withLoginSlot } from './login-slots.ts';
import { type Credentials, findCredentials, isKnownDevice, lockOperator, recordLogin } from './login.store.ts';
import { addToken, endSurplusSessions, openSession } from '../../actions/session.store.ts';
import { hashOf, newToken } from '../../actions/token.ts';

/** One login attempt and the device it comes from. */
interface Attempt {
  call: SessionCall;
  input: LoginInput;
  device: string;
  known: boolean;
  now: number;
}

/**
 * Opens a session. Every wrong login has the same answer and takes the same time. A known device has its own counter of
 * guesses, so that attackers cannot lock the owner out.
 *
 * @throws Refused 401 for wrong credentials, 428 when a one-time code is missing, 429 when a limit is reached
 */
export const login: SessionHandler<LoginInput> = async (call, input) => {
  const { app } = call;
  const now = app.clock.now();
  const device = call.device ?? newToken();
  const known = call.device !== undefined && (await isKnownDevice(app.system, input.account, hashOf(call.device)));
  return withLoginSlot(known, () => attemptLogin({ call, input, device, known, now }));
};

async function attemptLogin(attempt: Attempt): Promise<Answer & { token?: string }> {
  const { call, input, now } = attempt;
  const { app } = call;
  const guess = await beginGuess(app.system, countersOf(attempt), now);
  const found = await findCredentials(app.system, input.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, input.password);
  const outcome =
    found && matches && found.state === 1 ? await enter(attempt, found) : { refusal: refusals.wrongCredentials };
  // A right password without its one-time code is not a guess.
  if (!('refusal' in outcome) || outcome.refusal.code === CODE.fresh) await guess.remove();
  if ('refusal' in outcome) {
    await recordRefusedLogin(attempt, found, outcome.refusal, guess.isLast);
    throw refuse(outcome.refusal);
  }
  return { code: CODE.ok, msg: LOGIN_DONE, ...outcome };
}

/** A device is known for one account only; for other accounts it counts as unknown. */
function countersOf({ call, input, device, known }: Attempt): GuessCounter[] {
  const account = hashOf(input.account.toLowerCase());
  const max = LOGIN_TRIES_PER_HOUR;
  if (known) return [{ name: `device ${hashOf(`${hashOf(device)} ${account}`)}`, max }];
  return [
    { name: `account ${account}`, max },
    { name: `address ${networkOf(call.origin.ip)}`, max: ADDRESS_TRIES_PER_HOUR },
  ];
}

type LoginOutcome = { data: LoginData; token: string } | { refusal: Refusal };

/**
 * Opens the session after the password was verified. State, password and codes of the operator are checked again under a
 * lock, because they may have changed since.
 */
async function enter({ call, input, device, known, now }: Attempt, found: Credentials): Promise<LoginOutcome> {
  const { app, origin } = call;
  const token = newToken();
  const work = async (db: Db): Promise<LoginOutcome> => {
    const operator = await lockOperator(db, found.id, found.passwordHash ?? '');
    if (!operator) return { refusal: refusals.wrongCredentials };
    let codeKind;
    if (operator.otpSince !== null) {
      if (input.otp === undefined) return { refusal: refusals.freshCode };
      codeKind = await spendCode(app, db, found.id, input.otp, now);
      if (!codeKind) return { refusal: refusals.wrongCredentials };
    }
    const deviceHash = hashOf(device);
    const { ip, userAgent } = origin;
    // A recovery code opens a session, but actions that need a fresh code still ask for one.
    const fresh = codeKind === 'code';
    await endSurplusSessions(db, found.id, now);
    const opened = await openSession(db, { operatorId: found.id, deviceHash, known, fresh, ip, userAgent, now });
    await addToken(db, opened.id, hashOf(token), null, now);
    await recordLogin(db, found.id, deviceHash, ip, now);
    const after = { known: known ? 1 : 0, ...(codeKind && { by: codeKind }) };
    await recordAudit(
      db,
      { ...origin, sessionId: opened.id, now, clockOffset: app.clock.offset(), operator: found },
      { ...loginTarget(found), result: CODE.ok, after },
    );
    return { data: loginData(found, opened.expiresAt, device), token };
  };
  return withRetries(() => inTransaction(app.system, work));
}

const loginData = (operator: Credentials, expire: number, device: string): LoginData => ({
  admin: operator.account,
  planSet: can(operator, ABILITY.platform),
  abilities: abilitiesOf(operator),
  expire,
  device,
});

export const abilitiesOf = (operator: { top: boolean; abilities: readonly number[] }): number[] =>
  operator.top ? [...ABILITIES] : [ABILITY.enabled, ...operator.abilities];

const loginTarget = (operator: Pick<Credentials, 'id'> | undefined) => ({
  action: 'session.login',
  targetType: 'agent',
  targetId: operator?.id,
  agentId: operator?.id,
});

/**
 * Audits a refused login. The guess limits bound the number of rows. The guess that reaches a limit also writes a 429 row,
 * so that the lock is visible although later attempts write nothing.
 */
async function recordRefusedLogin(
  { call, now }: Attempt,
  found: Credentials | undefined,
  { code }: Refusal,
  isLastGuess: boolean,
): Promise<void> {
  await inTransaction(call.app.system, async (db) => {
    const clockOffset = call.app.clock.offset();
    const who = { ...call.origin, sessionId: null, now, clockOffset, operator: found ?? null };
    await recordAudit(db, who, { ...loginTarget(found), result: code });
    if (isLastGuess && code !== CODE.fresh) await recordAudit(db, who, { ...loginTarget(found), result: CODE.tooMany });
  });
}
