import type { ActionInput } from '@hengtai/contract/wire/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { KLINE_URL, WATERMARK } from '@hengtai/contract/desk/config/calls';
import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import {
  LOGIN_TRIES_PER_HOUR,
  PASSWORD_CHANGED,
  SESSION,
  session as calls,
} from '@hengtai/contract/house/session/calls';
import type {
  KickOthers,
  KickOthersResult,
  Me,
  PasswordInput,
  SessionRow,
} from '@hengtai/contract/house/session/schema';
import { findFourEyes } from '../../../actions/four-eyes.store.ts';
import { recordAudit } from '../../../actions/audit.store.ts';
import { type App, type Caller, can } from '../../../app/context.ts';
import { findSettingText, isSettingOn } from '../../../app/setting.store.ts';
import { type Db, inTransaction, withRetries } from '../../../database/connect.ts';
import { isUnder } from '../../../database/tree.ts';
import { defineAction } from '../../../actions/action.ts';
import { credentialOf } from '../../../authority/authority.ts';
import type { SessionCall, SessionHandler } from '../../../http/handler.ts';
import { type Refused, refuse } from '../../../app/refuse.ts';
import { beginGuess } from './guess-limit.steps.ts';
import { abilitiesOf } from './login.steps.ts';
import { hashPassword, passwordMatches } from '../../../host/password.ts';
import { refuseWeak } from '../../../authority/password-rules.ts';
import { findSessionRow, kickSession } from './session-list.store.ts';
import { findCredentials, lockOperator, setPassword } from './login.store.ts';
import { endOtherSessions, endSession, endSessionsOf, lockSession } from '../../../authority/session.store.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';

function callerOf(call: SessionCall): Caller {
  if (!call.caller) throw refuse(refusals.sessionInvalid);
  return call.caller;
}

/** @throws Refused 400 when the session has ended since authentication */
async function requireSession({ clock }: App, db: Db, caller: Caller): Promise<void> {
  if (!(await lockSession(db, credentialOf(caller).tokenHash, clock))) throw refuse(refusals.sessionInvalid);
}

export const logout: SessionHandler<object> = async (call) => {
  const caller = callerOf(call);
  await inTransaction(call.app.system, async (db) => {
    await requireSession(call.app, db, caller);
    await endSession(db, caller.sessionId ?? 0, 'logout', caller.now);
    await recordAudit(db, caller, { action: 'session.logout', result: CODE.ok });
  });
  return { code: CODE.ok, msg: '操作成功', data: null };
};

export const me: SessionHandler<object> = async (call) => {
  const { operator, now, factors } = callerOf(call);
  const data: Me = {
    id: operator.id,
    admin: operator.account,
    planSet: can(operator, ABILITY.platform),
    top: operator.top,
    abilities: abilitiesOf(operator),
    expire: call.expiresAt,
    now,
    zone: await fetchReportZone(call.app.system, now),
    kline: can(operator, ABILITY.platform) ? await findSettingText(call.app.system, KLINE_URL) : '',
    watermark: await isSettingOn(call.app.system, WATERMARK),
    otp: factors.hasFactor ? 1 : 0,
    otpDue: factors.isSetupDue,
    passkeyDue: factors.isPasskeyDue,
    passwordDue: factors.isPasswordDue,
    fourEyes: await fourEyesOf(call.app.system),
  };
  return { code: CODE.ok, msg: 'ok', data };
};

/**
 * Changes the caller's own password and ends all of its sessions, including this one.
 *
 * @throws Refused 401 when the old password is wrong, 422 when the new one is weak, 429 after too many guesses
 */
export const changePassword: SessionHandler<PasswordInput> = async (call, input) => {
  const caller = callerOf(call);
  const { app } = call;
  const { operator, now } = caller;
  refuseWeak('newPassword', input.newPassword, operator.account);
  const counters = [{ name: `password ${operator.id}`, max: LOGIN_TRIES_PER_HOUR }];
  const guess = await beginGuess(app.system, counters, now);
  const found = await findCredentials(app.system, operator.account);
  const verifiedHash = found?.passwordHash ?? null;
  if (!(await passwordMatches(verifiedHash, input.oldPassword))) throw await refuseOldPassword(app, caller);
  const hash = await hashPassword(input.newPassword);
  const changed = await withRetries(() =>
    inTransaction(app.system, async (db) => {
      // A concurrent reset by a superior must not be overwritten by a caller who knows only the former password.
      if (!(await lockOperator(db, operator.id, verifiedHash ?? ''))) return false;
      await requireSession(app, db, caller);
      await setPassword(db, { id: operator.id, hash, by: 'owner', now });
      await endSessionsOf(db, [operator.id], 'password', now);
      await recordAudit(db, caller, {
        action: 'session.password',
        result: CODE.ok,
        targetType: 'agent',
        targetId: operator.id,
      });
      return true;
    }),
  );
  if (!changed) throw await refuseOldPassword(app, caller);
  await guess.remove();
  return { code: CODE.ok, msg: PASSWORD_CHANGED, data: null };
};

async function refuseOldPassword(app: App, caller: Caller): Promise<Refused> {
  await inTransaction(app.system, (db) =>
    recordAudit(db, caller, { action: 'session.password', result: CODE.wrongCredentials }),
  );
  return refuse(refusals.wrongOldPassword);
}

/** Ends a session and its open streams at once. Allowed for the caller's own sessions and those of agents below. */
export const sessionKick = defineAction<ActionInput, SessionRow, SessionRow>({
  call: calls.kick,
  load: async (ctx, { id }) => {
    const found = await findSessionRow(ctx, id);
    // An operator with full scope sees every session, but may end only those of its own tree.
    if (found && !(await isUnder(ctx.db, ctx.operator.id, found.operatorId))) throw refuse(refusals.forbidden);
    return found;
  },
  check: (_ctx, found) => {
    if (found.state !== SESSION.online) throw refuse(refusals.sessionOver);
  },
  execute: async (ctx, { id }, found) => {
    if (!(await kickSession(ctx, id))) throw refuse(refusals.sessionOver);
    const data = await findSessionRow(ctx, id);
    return {
      data: data ?? found,
      subject: { type: 'session', id, agentId: found.operatorId },
      before: { account: found.account, ip: found.ip, createdAt: found.createdAt },
      after: { endedAt: ctx.now },
    };
  },
});

/** Ends all sessions of the caller except the current one. */
export const sessionKickOthers = defineAction<KickOthers, KickOthersResult>({
  call: calls.kickOthers,
  execute: async (ctx) => {
    const ended = await endOtherSessions(ctx.db, ctx.operator.id, ctx.sessionId ?? 0, 'kick', ctx.now);
    return {
      data: { ended },
      subject: { type: 'agent', id: ctx.operator.id, agentId: ctx.operator.id },
      after: { ended },
    };
  },
});

async function fourEyesOf(db: Db) {
  const { lockedAt, unlockedAt, appointedAt } = await findFourEyes(db);
  return { locked: lockedAt !== null, unlockedAt, appointedAt };
}
