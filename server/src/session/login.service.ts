import { ABILITIES, ABILITY } from '@hengtai/contract/ability';
import { CODE } from '@hengtai/contract/envelope';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import { ADDRESS_TRIES_PER_HOUR, LOGIN_DONE, LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/session';
import type { LoginData, LoginInput } from '@hengtai/contract/session.schema';
import { recordAudit } from '../audit/audit.store.ts';
import { can } from '../context.ts';
import { type Db, inTransaction, retried } from '../db/connect.ts';
import type { SessionCall, SessionHandler } from '../http/handler.ts';
import type { Answer } from '../http/idempotency.ts';
import { spendCode } from '../otp/spend.ts';
import { refuse } from '../refuse.ts';
import { inCrowd } from './crowd.ts';
import { type Guard, beginGuess, networkOf } from './guard.ts';
import { passwordMatches } from './password.ts';
import { type Credentials, findCredentials, holdOperator, isKnownDevice, recordLogin } from './login.store.ts';
import { addToken, endSurplusSessions, openSession } from './session.store.ts';
import { hashOf, newToken } from './token.ts';

/** One attempt to come in, and from what. */
interface Attempt {
  call: SessionCall;
  input: LoginInput;
  device: string;
  known: boolean;
  now: number;
}

/**
 * Opens a session. Whatever is wrong is answered alike and takes alike long. A browser that logged in before guesses on
 * its own count, so that strangers cannot lock the owner out.
 */
export const login: SessionHandler<LoginInput> = async (call, input) => {
  const { app } = call;
  const now = app.clock.now();
  const device = call.device ?? newToken();
  const known = call.device !== undefined && (await isKnownDevice(app.system, input.account, hashOf(call.device)));
  return inCrowd(known, () => tried({ call, input, device, known, now }));
};

async function tried(attempt: Attempt): Promise<Answer & { token?: string }> {
  const { call, input, now } = attempt;
  const { app } = call;
  const guess = await beginGuess(app.system, guardsOf(attempt), now);
  const found = await findCredentials(app.system, input.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, input.password);
  const entered =
    found && matches && found.state === 1 ? await enter(attempt, found) : { refusal: refusals.wrongCredentials };
  // Who has the password and was asked for a code has guessed nothing.
  if (!('refusal' in entered) || entered.refusal.code === CODE.fresh) await guess.forgive();
  if ('refusal' in entered) {
    await recordRefusedLogin(attempt, found, entered.refusal, guess.last);
    throw refuse(entered.refusal);
  }
  return { code: CODE.ok, msg: LOGIN_DONE, ...entered };
}

/** A device is one of an account: what it guesses about another is a stranger's guess. */
function guardsOf({ call, input, device, known }: Attempt): Guard[] {
  const account = hashOf(input.account.toLowerCase());
  const most = LOGIN_TRIES_PER_HOUR;
  if (known) return [{ name: `device ${hashOf(`${hashOf(device)} ${account}`)}`, most }];
  return [
    { name: `account ${account}`, most },
    { name: `address ${networkOf(call.origin.ip)}`, most: ADDRESS_TRIES_PER_HOUR },
  ];
}

type Entered = { data: LoginData; token: string } | { refusal: Refusal };

/**
 * The password was right. What else decides is looked at again while the operator is held: a password, a switch or codes
 * that changed meanwhile are as good as changed before.
 */
async function enter({ call, input, device, known, now }: Attempt, found: Credentials): Promise<Entered> {
  const { app, origin } = call;
  const token = newToken();
  const work = async (db: Db): Promise<Entered> => {
    const held = await holdOperator(db, found.id, found.passwordHash ?? '');
    if (!held) return { refusal: refusals.wrongCredentials };
    let spent;
    if (held.otpSince !== null) {
      if (input.otp === undefined) return { refusal: refusals.freshCode };
      spent = await spendCode(app, db, found.id, input.otp, now);
      if (!spent) return { refusal: refusals.wrongCredentials };
    }
    const deviceHash = hashOf(device);
    const { ip, userAgent } = origin;
    // A recovery code opens the way; grave actions behind it ask for a code of their own.
    const fresh = spent === 'code';
    await endSurplusSessions(db, found.id, now);
    const opened = await openSession(db, { operatorId: found.id, deviceHash, known, fresh, ip, userAgent, now });
    await addToken(db, opened.id, hashOf(token), null, now);
    await recordLogin(db, found.id, deviceHash, ip, now);
    const after = { known: known ? 1 : 0, ...(spent && { by: spent }) };
    await recordAudit(
      db,
      { ...origin, sessionId: opened.id, now, clockOffset: app.clock.offset(), operator: found },
      { ...aboutLogin(found), result: CODE.ok, after },
    );
    return { data: dataOf(found, opened.expiresAt, device), token };
  };
  return retried(() => inTransaction(app.system, work));
}

const dataOf = (operator: Credentials, expire: number, device: string): LoginData => ({
  admin: operator.account,
  planSet: can(operator, ABILITY.platform),
  abilities: abilitiesOf(operator),
  expire,
  device,
});

export const abilitiesOf = (operator: { top: boolean; abilities: readonly number[] }): number[] =>
  operator.top ? [...ABILITIES] : [ABILITY.enabled, ...operator.abilities];

const aboutLogin = (operator: Pick<Credentials, 'id'> | undefined) => ({
  action: 'session.login',
  targetType: 'agent',
  targetId: operator?.id,
  agentId: operator?.id,
});

/**
 * The refusal is remembered; how often is bounded by the guards that every guess passes first. The last one before a lock
 * says that as well, so that a lock is seen and those turned away by it cost nothing.
 */
async function recordRefusedLogin(
  { call, now }: Attempt,
  found: Credentials | undefined,
  { code }: Refusal,
  last: boolean,
): Promise<void> {
  await inTransaction(call.app.system, async (db) => {
    const clockOffset = call.app.clock.offset();
    const who = { ...call.origin, sessionId: null, now, clockOffset, operator: found ?? null };
    await recordAudit(db, who, { ...aboutLogin(found), result: code });
    if (last && code !== CODE.fresh) await recordAudit(db, who, { ...aboutLogin(found), result: CODE.tooMany });
  });
}
