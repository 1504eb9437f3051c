import { KYC, type KycAction, type KycState, kyc as calls, kycCan, kycStates } from '@hengtai/contract/kyc';
import type { KycDetail, KycDo, KycId, KycImage, KycReveal, KycRevealed, KycRow } from '@hengtai/contract/kyc.schema';
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
  type KycRecord,
  decideKycSubmission,
  findKycSubmission,
  findImage,
  masked,
  recordView,
  otherKycSubmissions,
  sameNumber,
  seesClear,
  settleUser,
  takeUserForKyc,
} from './kyc.store.ts';
import { type InlineImage, parseInlineImage } from './image.ts';

const RECENT = 10;
/** Pictures of one review that are asked for within this long are one look at it. */
const LOOK_MS = 10 * 60_000;

/** What one needs to decide about one submission; clear or masked as the list is. */
export async function kycDetail(ctx: Ctx, { id }: KycId): Promise<KycDetail> {
  const found = await findKycSubmission(ctx, id);
  const user = found && (await findCustomer(ctx, found.userId));
  if (!found || !user) throw refuse(refusals.notFound);
  return {
    row: shownTo(ctx, found),
    user,
    earlier: await otherKycSubmissions(ctx, found, RECENT),
    same: await sameNumber(ctx, found, RECENT),
    logins: await lastLogins(ctx, found.userId, RECENT),
    devices: await lastDevices(ctx, found.userId, RECENT),
  };
}

/** A picture that lies here; one that lies at the platform is not fetched from here. The first look is audited. */
export async function kycImage(ctx: Ctx, { id, side }: KycImage): Promise<InlineImage> {
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
export const kycReveal = defineAction<KycReveal, KycRevealed, KycRecord>({
  name: 'auth.reveal',
  call: calls.reveal,
  load: (ctx, { id }) => findKycSubmission(ctx, id),
  execute: async (_ctx, _input, target) => ({
    data: { id: target.id, name: target.name, idNumber: target.idNumber },
    subject: subjectOf(target),
    after: { fields: calls.reveal.reveals },
  }),
});

export const kycPass = review<KycDo>('pass', calls.pass, KYC.passed);
export const kycReject = review<KycDo>('reject', calls.reject, KYC.rejected);

function review<I extends KycDo>(
  name: KycAction,
  call: Action<I, KycRow, KycRecord>['call'],
  to: Exclude<KycState, 0>,
) {
  return defineAction<I, KycRow, KycRecord>({
    name: `auth.${name}`,
    call,
    load: (ctx, { id }) => findKycSubmission(ctx, id),
    check: (_ctx, target) => {
      if (!kycCan[name].some((state) => state === target.state)) throw moved(target);
    },
    execute: async (ctx, input, target) => {
      await takeUserForKyc(ctx.db, target.userId);
      const decision = { from: kycCan[name], to, reason: reasonOf(input) };
      if (!(await decideKycSubmission(ctx, target.id, decision))) throw await movedNow(ctx, target.id);
      await settleUser(ctx.db, target.userId, ctx.now);
      return finishAndNotify(ctx, target);
    },
  });
}

const moved = (target: KycRow): Refused =>
  refuseMoved(kycStates[target.state as KycState], { state: target.state, by: target.by, at: target.updatedAt });

async function movedNow(ctx: Ctx, id: number): Promise<Refused> {
  const target = await findKycSubmission(ctx, id);
  return target ? moved(target) : refuse(refusals.notFound);
}

/** The platform hears of the decision. Answers are kept for their keys, so nothing clear is in them. */
async function finishAndNotify(ctx: Ctx, target: KycRecord): Promise<Done<KycRow>> {
  const after = await findKycSubmission(ctx, target.id);
  if (!after) throw refuse(refusals.notFound);
  const { account, level, state, reason } = after;
  const data = { account, level, state, ...(reason === '' ? {} : { reason }) };
  await enqueue(ctx.db, { type: 'auth.reviewed', refType: 'auth', refId: target.id, data, now: ctx.now });
  return { data: rowOf(masked(after)), subject: subjectOf(target), before: kept(target), after: kept(after) };
}

const rowOf = ({ agentId: _agentId, ...row }: KycRecord): KycRow => row;

function shownTo(ctx: Ctx, found: KycRecord): KycRow {
  return rowOf(seesClear(ctx) ? found : masked(found));
}

const subjectOf = ({ id, userId, account, agentId }: KycRecord): Subject => ({
  type: 'auth',
  id,
  userId,
  account,
  agentId,
});

/** What the audit row keeps: what a decision can change, and nothing that names a person. */
const kept = ({ level, state, reason, by }: KycRow) => ({ level, state, reason, by });
