import { reasonFields } from '@hengtai/contract/wire/reason-code';
import type { ActionInput, IdInput, ReasonInput } from '@hengtai/contract/wire/schema';
import {
  KYC,
  KYC_FOUND_MAX,
  type KycAction,
  type KycState,
  kyc as calls,
  kycActionStates,
  kycStates,
} from '@hengtai/contract/risk/kyc/calls';
import type { KycDetail, KycFind, KycFound, KycImage, KycRevealed, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { type Action, type ActionResult, type Guard, defineAction } from '../../../actions/action.ts';
import { auditSubject, reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { findRecordApproval } from '../../../actions/approval.store.ts';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import { problemOf, textItem } from '../../../actions/preview.ts';
import { refuse, refuseField, refuseMissing, requireFound, refuseState } from '../../../app/refuse.ts';
import { type ScreenedTarget, readScreening, requireScreened } from '../screening/screening.steps.ts';
import { findQueueTarget } from '../../../realtime/waiting.store.ts';
import { fetchLastDevices, fetchLastLogins } from '../../people/user/user-detail.store.ts';
import { fetchTimelineNotes } from '../../people/user/user-note.store.ts';
import { findCustomer } from '../../people/user/customer.store.ts';
import {
  type KycRecord,
  decideKycSubmission,
  findKycSubmission,
  findImage,
  maskRow,
  recordView,
  listOtherSubmissions,
  canSeeIdentity,
  updateUserKyc,
  lockUserForKyc,
} from './kyc.store.ts';
import { readDocument } from './identity-document.rules.ts';
import { identityKey, nameKey } from './identity-key.rules.ts';
import { type InlineImage, parseInlineImage } from './image.rules.ts';
import { previewRises, raisesLimits } from './limit-rise.ts';
import { findByIdentity, findSameNumber, isSubmittedOutside } from './same-identity.store.ts';

const subjectOf = recordSubject('auth');

const RECENT = 10;
/** Requests for images of one submission within this time, in ms, count as one view in the audit log. */
const VIEW_MS = 10 * 60_000;

/**
 * Everything needed to review a submission, masked unless the operator may see identities.
 *
 * @throws Refused 404 for a submission outside the operator's scope
 */
export async function kycDetail(ctx: Ctx, { id }: IdInput): Promise<KycDetail> {
  const found = await findKycSubmission(ctx, id);
  const user = found && (await findCustomer(ctx, found.userId));
  if (!found || !user) throw refuse(refusals.notFound);
  return {
    row: toVisibleRow(ctx, found),
    document: canSeeIdentity(ctx) ? readDocument(found, ctx.now) : null,
    user,
    target: await findQueueTarget(ctx, 'authReview'),
    earlier: await listOtherSubmissions(ctx, found, RECENT),
    same: await findSame(ctx, found),
    logins: await fetchLastLogins(ctx, found.userId, RECENT),
    notes: await fetchTimelineNotes(ctx, found.userId, RECENT),
    screening: await readScreening(ctx.db, { type: 'auth', id }, ctx.now),
    approval: await findRecordApproval(ctx, 'auth', { ...found, decidedAt: found.reviewedAt, action: 'auth.pass' }),
    devices: await fetchLastDevices(ctx, found.userId, RECENT),
  };
}

async function findSame(ctx: Ctx, found: KycRecord): Promise<KycDetail['same']> {
  const same = await findSameNumber(ctx, found, RECENT);
  return { ...same, outside: canSeeIdentity(ctx) ? await isSubmittedOutside(ctx, found, same.users) : null };
}

/**
 * An image stored in the database; URLs of the platform are never fetched. Writes an audit row for each new view.
 *
 * @throws Refused 404 if there is no stored image or the submission is outside the operator's scope
 */
export async function kycImage(ctx: Ctx, { id, side }: KycImage): Promise<InlineImage> {
  const found = await findImage(ctx, id, side);
  const image = found && parseInlineImage(found.image);
  if (!found || !image) throw refuse(refusals.notFound);
  if (await recordView(ctx, id, VIEW_MS)) {
    const { userId, account, agentId } = found;
    const subject = auditSubject({ type: 'auth', id, userId, account, agentId });
    await recordAudit(ctx.db, ctx, { ...subject, action: 'auth.image', result: CODE.ok });
  }
  return image;
}

/** Reveals the clear name and number for a reason. The audit row has operator and reason but no clear values. */
export const kycReveal = defineAction<ReasonInput, KycRevealed, KycRecord>({
  call: calls.reveal,
  load: (ctx, { id }) => findKycSubmission(ctx, id),
  execute: async (_ctx, _input, target) => ({
    data: { id: target.id, name: target.name, idNumber: target.idNumber },
    subject: subjectOf(target),
    after: { fields: calls.reveal.reveals },
  }),
});

/** Finds submissions by name or number. The audit row says what was searched for and how many were found, but no values. */
export const kycFind = defineAction<KycFind, KycFound>({
  call: calls.find,
  validate: ({ name, idNumber }) => {
    if (name === undefined && idNumber === undefined) throw refuseMissing('name', '姓名或证件号码');
    // An empty key would find every submission whose name or number has one.
    if (name !== undefined && nameKey(name) === '') throw refuseField('name', '格式不正确');
    if (idNumber !== undefined && identityKey(idNumber) === '') throw refuseField('idNumber', '格式不正确');
  },
  execute: async (ctx, input) => {
    const data = await findByIdentity(ctx, input, KYC_FOUND_MAX);
    const searched = Object.keys(input).length > 1 ? 'both' : Object.keys(input)[0];
    return { data, after: { searched, found: data.total } };
  },
});

/** The submission as its screening needs it. */
export async function findScreenedSubmission(ctx: Ctx, id: number): Promise<ScreenedTarget | undefined> {
  const row = await findKycSubmission(ctx, id);
  return (
    row && {
      record: { type: 'auth', id },
      user: row,
      isOpen: row.state === KYC.waiting,
      items: [textItem('姓名', maskRow(row).name), textItem('国家/地区', row.country)],
    }
  );
}

const passGuard: Guard<ActionInput, KycRecord> = {
  loosens: async (ctx, target) => {
    if (!(await raisesLimits(ctx, target))) return false;
    // Refused before the checker decides, not afterwards.
    await requireScreened(ctx.db, { type: 'auth', id: target.id }, ctx.now);
    return true;
  },
  subject: subjectOf,
  preview: async (ctx, { id }) => {
    const target = requireFound(await findKycSubmission(ctx, id));
    const problem = await problemOf(() => requireScreened(ctx.db, { type: 'auth', id }, ctx.now));
    return previewRises(ctx, target, problem);
  },
};

export const kycPass = defineReview('pass', calls.pass, KYC.passed);
export const kycReject = defineReview('reject', calls.reject, KYC.rejected);

function defineReview(name: KycAction, call: Action<ActionInput, KycRow, KycRecord>['call'], to: Exclude<KycState, 0>) {
  return defineAction<ActionInput, KycRow, KycRecord>({
    call,
    load: (ctx, { id }) => findKycSubmission(ctx, id),
    check: (_ctx, target) => {
      if (!kycActionStates[name].some((state) => state === target.state)) throw refuseState(kycStates, target);
    },
    ...(name === 'pass' && { guard: passGuard }),
    execute: async (ctx, input, target) => {
      await lockApprovals(ctx.db, { type: 'auth', id: target.id });
      await lockUserForKyc(ctx.db, target.userId);
      const decision = { from: kycActionStates[name], to, reason: reasonOf(input) };
      if (!(await decideKycSubmission(ctx, target.id, decision)))
        throw refuseState(kycStates, requireFound(await findKycSubmission(ctx, target.id)));
      // After the decision, which locks the submission: no answer can come in between.
      if (name === 'pass') await requireScreened(ctx.db, { type: 'auth', id: target.id }, ctx.now);
      await updateUserKyc(ctx.db, target.userId, ctx.now);
      const closing = { state: APPROVAL.expired, answer: `实名${kycStates[to]}`, now: ctx.now };
      await closeApprovals(ctx.db, { type: 'auth', id: target.id }, closing);
      return finishAndNotify(ctx, target);
    },
  });
}

/** Enqueues the decision and returns the result. The row is masked, because responses are stored for idempotency. */
async function finishAndNotify(ctx: Ctx, target: KycRecord): Promise<ActionResult<KycRow>> {
  const after = requireFound(await findKycSubmission(ctx, target.id));
  const { account, level, state, reason } = after;
  const data = { account, level, state, ...reasonFields(reason) };
  await enqueue(ctx.db, { type: 'auth.reviewed', refType: 'auth', refId: target.id, data, now: ctx.now });
  return {
    data: rowOf(maskRow(after)),
    subject: subjectOf(target),
    before: auditedFields(target),
    after: auditedFields(after),
  };
}

const rowOf = ({ agentId: _agentId, ...row }: KycRecord): KycRow => row;

function toVisibleRow(ctx: Ctx, found: KycRecord): KycRow {
  return rowOf(canSeeIdentity(ctx) ? found : maskRow(found));
}

/** The fields that a decision can change, for the audit row; no personal data. */
const auditedFields = ({ level, state, reason, by }: KycRow) => ({ level, state, reason, by });
