import { APPROVAL_HOURS } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from './audit.store.ts';
import type { Ctx } from '../app/context.ts';
import { type Subject, auditSubject, reasonOf } from './action-audit.ts';
import { refuse, refuseField } from '../app/refuse.ts';
import { withFullScope } from '../database/connect.ts';
import { hashOf } from './approval.rules.ts';
import { endApprovals } from './approval-end.store.ts';
import { findApprovalsOfLines, insertLines } from './approval-line.store.ts';
import { type ApprovalRecord, findApproval, findOpenApprovalId, insertApproval } from './approval.store.ts';
import { findLockedAt, takePermit } from './four-eyes.store.ts';
import { type PolicyValue, evaluatePolicy, lockUser } from './policy.store.ts';
import type { JudgedSave } from './save.ts';

/** An action that may need an approval, as the approval stores it. */
export interface ApprovalRequest {
  action: string;
  /** Absent when only locked four-eyes can require a checker. */
  policy?: string;
  subject: Subject;
  value: PolicyValue;
  /** The least number of checkers, whatever the policy says. */
  minimum?: number;
  input: unknown;
  /** What a save would change. */
  save?: JudgedSave;
  guard?: { loosens: () => boolean | Promise<boolean>; permits: boolean };
  /** As `auditReason` returns it. */
  auditReason: string;
}

/**
 * Opens an approval when locked four-eyes or the policy of the action require a checker. Otherwise counts the action
 * towards the limits of its policy and returns undefined.
 *
 * @throws Refused 404 when the user left the scope, 409 when an approval is already open, 422 without the reason for ending one
 */
export async function requestApproval(
  ctx: Ctx,
  request: ApprovalRequest,
  submit: (approvalId: number) => Promise<void>,
): Promise<ApprovalRow | undefined> {
  if (request.save) await settleOpen(ctx, request.save, reasonOf(request.input));
  if (await needsGuard(ctx, request))
    return (await consumePermit(ctx, request)) ? undefined : openApproval(ctx, request, 1, submit);
  if (request.policy === undefined) return undefined;
  const question = {
    policy: request.policy,
    operatorId: ctx.operator.id,
    userId: request.subject.userId ?? null,
    ...request.value,
    now: ctx.now,
  };
  if (question.userId !== null && !(await lockUser(ctx, question.userId))) throw refuse(refusals.notFound);
  const checkers = await evaluatePolicy(ctx.db, question, request.minimum ?? 0);
  return checkers === 0 ? undefined : openApproval(ctx, request, checkers, submit);
}

/**
 * An open approval of a line keeps others from changing that line, so that nobody starves it. Only what tightens goes on, and
 * ends the approval: a protection never waits.
 *
 * @throws Refused 409 with the number of the approval, 422 without a reason for ending it
 */
async function settleOpen(ctx: Ctx, { result, tightens }: JudgedSave, reason: string): Promise<void> {
  const open = await withFullScope(ctx.db, () => findApprovalsOfLines(ctx.db, Object.keys(result)));
  const [first] = open;
  if (first === undefined) return;
  if (!tightens) throw refuseOpen(first.id);
  if (reason === '') throw refuseField('reason', `不能为空：本次收紧将结束待复核的申请 #${first.id}`);
  const answer = `${ctx.operator.account} 收紧了记录：${reason}`;
  await withFullScope(ctx.db, () => endApprovals(ctx.db, open, { answer, now: ctx.now }));
  for (const approval of open)
    await recordAudit(ctx.db, ctx, {
      action: 'approval.expire',
      result: CODE.ok,
      targetType: 'approval',
      targetId: approval.id,
      agentId: approval.agentId,
      approvalId: approval.id,
      before: { state: APPROVAL.open },
      after: { state: APPROVAL.expired, answer },
      reason,
    });
}

const refuseOpen = (id: number | undefined) =>
  refuse(refusals.approvalOpen, id === undefined ? undefined : `${refusals.approvalOpen.msg} #${id}`, { approval: id });

const needsGuard = async (ctx: Ctx, { guard }: ApprovalRequest): Promise<boolean> =>
  guard !== undefined && (await findLockedAt(ctx.db)) !== null && (await guard.loosens());

async function consumePermit(ctx: Ctx, { action, subject, guard }: ApprovalRequest): Promise<boolean> {
  if (!guard?.permits) return false;
  const permit = { action, targetType: subject.type, targetId: subject.id, makerId: ctx.operator.id, now: ctx.now };
  return takePermit(ctx.db, permit);
}

async function openApproval(
  ctx: Ctx,
  request: ApprovalRequest,
  required: number,
  submit: (approvalId: number) => Promise<void>,
): Promise<ApprovalRow> {
  const { subject, action, input, save } = request;
  const target = { targetType: subject.type, targetId: subject.id };
  const hashedFields = { action, ...target, makerId: ctx.operator.id, input, ...(save && { result: save.result }) };
  const hash = hashOf(hashedFields);
  const id = await insertApproval(ctx.db, {
    ...hashedFields,
    userId: subject.userId ?? null,
    agentId: subject.agentId ?? null,
    hash,
    amount: request.value.amount,
    required,
    reason: request.auditReason,
    now: ctx.now,
    expiresAt: ctx.now + APPROVAL_HOURS * 3_600_000,
  });
  if (id === undefined) throw refuseOpen(await findOpenApprovalId(ctx, subject, action));
  if (save && !(await insertLines(ctx.db, id, Object.keys(save.result)))) throw refuseOpen(undefined);
  await submit(id);
  await recordAudit(ctx.db, ctx, {
    ...auditSubject(subject),
    action,
    result: CODE.submitted,
    // The audit chain seals both, so altering request and hash together is detected.
    after: { input, hash },
    reason: request.auditReason,
    approvalId: id,
  });
  const approval = await findApproval(ctx, id);
  if (!approval) throw new Error('The approval that was just opened could not be read back.');
  return withoutInternals(approval);
}

export function withoutInternals({
  makerId: _maker,
  agentId: _agent,
  result: _result,
  ...row
}: ApprovalRecord): ApprovalRow {
  return row;
}
