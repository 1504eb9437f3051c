import { CODE } from '@hengtai/contract/envelope';
import { refusals } from '@hengtai/contract/refusals';
import type { LoginData, LoginInput, Me, PasswordInput } from '@hengtai/contract/session.schema';
import { LOGIN_DONE, LOGIN_TRIES_PER_HOUR, PASSWORD_CHANGED } from '@hengtai/contract/session';
import { ABILITIES, ABILITY } from '@hengtai/contract/ability';
import { type AuditNote, note } from '../audit/audit.store.ts';
import { type App, type Caller, can } from '../context.ts';
import { inTransaction } from '../db/connect.ts';
import type { SessionCall, SessionHandler } from '../http/handler.ts';
import { refuse, type Refused } from '../refuse.ts';
import { hashPassword, passwordMatches } from './password.ts';
import {
  type Credentials,
  addToken,
  countGuess,
  endSession,
  endSessionsOf,
  findCredentials,
  forgiveGuess,
  installationOf,
  isKnownDevice,
  noteLogin,
  openSession,
  setPassword,
} from './session.store.ts';
import { hashOf, newToken } from './token.ts';

/**
 * Opens a session. Whatever is wrong is answered alike and takes alike long. A browser that logged in before guesses on
 * its own count, so that strangers cannot lock the owner out.
 */
export const login: SessionHandler<LoginInput> = async (call, input) => {
  const { app } = call;
  const now = app.clock.now();
  const device = call.device ?? newToken();
  const known = call.device !== undefined && (await isKnownDevice(app.system, input.account, hashOf(call.device)));
  const guard = known ? `device ${hashOf(device)}` : `account ${hashOf(input.account.toLowerCase())}`;
  if ((await countGuess(app.system, guard, now)) > LOGIN_TRIES_PER_HOUR) throw refuse(refusals.loginLocked);
  const found = await findCredentials(app.system, input.account);
  const matches = await passwordMatches(found?.passwordHash ?? null, input.password);
  if (!found || !matches || found.state !== 1) throw await refuseLogin(call, found, now);
  await forgiveGuess(app.system, guard, now);
  const token = newToken();
  const expiresAt = await inTransaction(app.system, async (db) => {
    const { ip, userAgent } = call.origin;
    const opened = await openSession(db, { operatorId: found.id, deviceHash: hashOf(device), ip, userAgent, now });
    await addToken(db, opened.id, hashOf(token), null, now);
    await noteLogin(db, found.id, hashOf(device), ip, now);
    await note(db, { ...call.origin, sessionId: opened.id, now, operator: found }, loginNote(found, CODE.ok));
    return opened.expiresAt;
  });
  const data: LoginData = {
    admin: found.account,
    planSet: can(found, ABILITY.platform),
    abilities: abilitiesOf(found),
    expire: expiresAt,
    device,
  };
  return { code: CODE.ok, msg: LOGIN_DONE, data, token };
};

const loginNote = (operator: Pick<Credentials, 'id' | 'account'> | undefined, result: number): AuditNote => ({
  action: 'session.login',
  result,
  targetType: 'agent',
  targetId: operator?.id,
  agentId: operator?.id,
});

/** The refusal is remembered; how often is bounded by the guard that every guess passes first. */
async function refuseLogin(call: SessionCall, found: Credentials | undefined, now: number): Promise<Refused> {
  await inTransaction(call.app.system, (db) =>
    note(
      db,
      { ...call.origin, sessionId: null, now, operator: found ?? null },
      loginNote(found, CODE.wrongCredentials),
    ),
  );
  return refuse(refusals.wrongCredentials);
}

const abilitiesOf = (operator: { top: boolean; abilities: readonly number[] }): number[] =>
  operator.top ? [...ABILITIES] : [ABILITY.enabled, ...operator.abilities];

function callerOf(call: SessionCall): Caller {
  if (!call.caller) throw refuse(refusals.sessionInvalid);
  return call.caller;
}

export const logout: SessionHandler<object> = async (call) => {
  const caller = callerOf(call);
  await inTransaction(call.app.system, async (db) => {
    await endSession(db, caller.sessionId ?? 0, 'logout', caller.now);
    await note(db, caller, { action: 'session.logout', result: CODE.ok });
  });
  return { code: CODE.ok, msg: '操作成功', data: null };
};

export const me: SessionHandler<object> = async (call) => {
  const { operator, now } = callerOf(call);
  const { reportZone } = await installationOf(call.app.system);
  const data: Me = {
    id: operator.id,
    admin: operator.account,
    planSet: can(operator, ABILITY.platform),
    top: operator.top,
    abilities: abilitiesOf(operator),
    expire: call.expiresAt,
    now,
    zone: reportZone,
  };
  return { code: CODE.ok, msg: 'ok', data };
};

/** Changes one's own password; every session of the operator ends with it, this one included. */
export const changePassword: SessionHandler<PasswordInput> = async (call, input) => {
  const caller = callerOf(call);
  const { app } = call;
  const guard = `password ${caller.operator.id}`;
  if ((await countGuess(app.system, guard, caller.now)) > LOGIN_TRIES_PER_HOUR) throw refuse(refusals.loginLocked);
  const found = await findCredentials(app.system, caller.operator.account);
  if (!(await passwordMatches(found?.passwordHash ?? null, input.oldPassword)))
    throw await refuseOldPassword(app, caller);
  const hash = await hashPassword(input.newPassword);
  await inTransaction(app.system, async (db) => {
    await setPassword(db, caller.operator.id, hash, caller.now);
    await endSessionsOf(db, [caller.operator.id], 'password', caller.now);
    await note(db, caller, {
      action: 'session.password',
      result: CODE.ok,
      targetType: 'agent',
      targetId: caller.operator.id,
    });
  });
  await forgiveGuess(app.system, guard, caller.now);
  return { code: CODE.ok, msg: PASSWORD_CHANGED, data: null };
};

async function refuseOldPassword(app: App, caller: Caller): Promise<Refused> {
  await inTransaction(app.system, (db) =>
    note(db, caller, { action: 'session.password', result: CODE.wrongCredentials }),
  );
  return refuse(refusals.wrongOldPassword);
}
