import { AUTH, type AuthAction, type AuthState, auth as calls, authCan, authStates } from '@hengtai/contract/auth';
import type {
  AuthDetail,
  AuthDo,
  AuthId,
  AuthImage,
  AuthReveal,
  AuthRevealed,
  AuthRow,
} from '@hengtai/contract/auth.schema';
import { CODE } from '@hengtai/contract/envelope';
import { refusals } from '@hengtai/contract/refusals';
import { recordAudit } from '../audit/audit.store.ts';
import type { Ctx } from '../context.ts';
import { enqueue } from '../gateway/command.store.ts';
import { type Action, type Done, defineAction } from '../http/action.ts';
import { type Subject, auditSubject, reasonOf } from '../http/action-audit.ts';
import { type Refused, refuse, refuseMoved } from '../refuse.ts';
import { lastDevices, lastLogins } from '../user/user-detail.store.ts';
import { findCustomer } from '../withdraw/withdraw-detail.store.ts';
import {
  type AuthRecord,
  decideAuth,
  findAuth,
  findImage,
  masked,
  recordView,
  otherAuths,
  sameNumber,
  seesClear,
  settleUser,
  takeUserForAuth,
} from './auth.store.ts';
import { type InlineImage, parseInlineImage } from './image.ts';

const RECENT = 10;
/** Pictures of one review that are asked for within this long are one look at it. */
const LOOK_MS = 10 * 60_000;

/** What one needs to decide about one submission; clear or masked as the list is. */
export async function authDetail(ctx: Ctx, { id }: AuthId): Promise<AuthDetail> {
  const found = await findAuth(ctx, id);
  const user = found && (await findCustomer(ctx, found.userId));
  if (!found || !user) throw refuse(refusals.notFound);
  return {
    row: shownTo(ctx, found),
    user,
    earlier: await otherAuths(ctx, found, RECENT),
    same: await sameNumber(ctx, found, RECENT),
    logins: await lastLogins(ctx, found.userId, RECENT),
    devices: await lastDevices(ctx, found.userId, RECENT),
  };
}

/** A picture that lies here; one that lies at the platform is not fetched from here. The first look is audited. */
export async function authImage(ctx: Ctx, { id, side }: AuthImage): Promise<InlineImage> {
  const found = await findImage(ctx, id, side);
  const picture = found && parseInlineImage(found.picture);
  if (!found || !picture) throw refuse(refusals.notFound);
  if (await recordView(ctx, id, LOOK_MS)) {
    const { userId, account, agentId } = found;
    const subject = auditSubject({ type: 'auth', id, userId, account, agentId });
    await recordAudit(ctx.db, ctx, { ...subject, action: 'auth.image', result: CODE.ok });
  }
  return picture;
}

/** The clear name and number, for a reason. The audit row says who asked and why, and holds neither of them. */
export const authReveal = defineAction<AuthReveal, AuthRevealed, AuthRecord>({
  name: 'auth.reveal',
  call: calls.reveal,
  load: (ctx, { id }) => findAuth(ctx, id),
  execute: async (_ctx, _input, target) => ({
    data: { id: target.id, name: target.name, idNumber: target.idNumber },
    subject: subjectOf(target),
    after: { fields: calls.reveal.reveals },
  }),
});

export const authPass = review<AuthDo>('pass', calls.pass, AUTH.passed);
export const authReject = review<AuthDo>('reject', calls.reject, AUTH.rejected);

function review<I extends AuthDo>(
  name: AuthAction,
  call: Action<I, AuthRow, AuthRecord>['call'],
  to: Exclude<AuthState, 0>,
) {
  return defineAction<I, AuthRow, AuthRecord>({
    name: `auth.${name}`,
    call,
    load: (ctx, { id }) => findAuth(ctx, id),
    check: (_ctx, target) => {
      if (!authCan[name].some((state) => state === target.state)) throw moved(target);
    },
    execute: async (ctx, input, target) => {
      await takeUserForAuth(ctx.db, target.userId);
      const decision = { from: authCan[name], to, reason: reasonOf(input) };
      if (!(await decideAuth(ctx, target.id, decision))) throw await movedNow(ctx, target.id);
      await settleUser(ctx.db, target.userId, ctx.now);
      return finishAndNotify(ctx, target);
    },
  });
}

const moved = (target: AuthRow): Refused =>
  refuseMoved(authStates[target.state as AuthState], { state: target.state, by: target.by, at: target.updatedAt });

async function movedNow(ctx: Ctx, id: number): Promise<Refused> {
  const target = await findAuth(ctx, id);
  return target ? moved(target) : refuse(refusals.notFound);
}

/** The platform hears of the decision. Answers are kept for their keys, so nothing clear is in them. */
async function finishAndNotify(ctx: Ctx, target: AuthRecord): Promise<Done<AuthRow>> {
  const after = await findAuth(ctx, target.id);
  if (!after) throw refuse(refusals.notFound);
  const { account, level, state, reason } = after;
  const data = { account, level, state, ...(reason === '' ? {} : { reason }) };
  await enqueue(ctx.db, { type: 'auth.reviewed', refType: 'auth', refId: target.id, data, now: ctx.now });
  return { data: rowOf(masked(after)), subject: subjectOf(target), before: kept(target), after: kept(after) };
}

const rowOf = ({ agentId: _agentId, ...row }: AuthRecord): AuthRow => row;

function shownTo(ctx: Ctx, found: AuthRecord): AuthRow {
  return rowOf(seesClear(ctx) ? found : masked(found));
}

const subjectOf = ({ id, userId, account, agentId }: AuthRecord): Subject => ({
  type: 'auth',
  id,
  userId,
  account,
  agentId,
});

/** What the audit row keeps: what a decision can change, and nothing that names a person. */
const kept = ({ level, state, reason, by }: AuthRow) => ({ level, state, reason, by });
