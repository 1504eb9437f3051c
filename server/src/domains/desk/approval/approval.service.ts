import type { ReasonInput } from '@hengtai/contract/wire/schema';
import { PERMIT_MINUTES, approval as calls } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalPassInput, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { ActionCtx, App, Ctx } from '../../../app/context.ts';
import { withSavepoint, inTransaction, withFullScope } from '../../../database/connect.ts';
import { type ActionResult, type RegisteredAction, defineAction } from '../../../actions/action.ts';
import { type Subject, auditSubject, auditReason, reasonOf } from '../../../actions/action-audit.ts';
import { AccountClosed, InsufficientBalance } from '../../../books/ledger/post.ts';
import { Refused, refuse, requireFound } from '../../../app/refuse.ts';
import { withoutInternals } from '../../../actions/request-approval.ts';
import { expireApprovals, endApprovals } from '../../../actions/approval-end.store.ts';
import {
  type ApprovalRecord,
  type MakerState,
  decideApproval,
  failApproval,
  findApproval,
  concernsHouse,
} from '../../../actions/approval.store.ts';
import {
  type ActionRegistry,
  findExecutionProblem,
  hasChanged,
  judgeNow,
  makerContext,
  withRecordScope,
} from './execution.steps.ts';
import { movedText } from './moved.steps.ts';
import { setPermit } from '../../../actions/four-eyes.store.ts';
import {
  collectVote,
  requireEffectiveApprover,
  requireSignedExceptions,
  issueResetLink,
  tickKnown,
} from './four-eyes.service.ts';
import { recordApprovedUse } from '../../../actions/policy.store.ts';
import { raiseToValueNow, raisedFields } from './approval-value.service.ts';

const subjectOf = (record: ApprovalRecord): Subject => ({
  type: 'approval',
  id: record.id,
  userId: record.userId,
  account: record.account,
  // A request about the whole house stores the maker's agent, which the checker may not see.
  agentId: concernsHouse(record) ? null : record.agentId,
});

/** @throws Refused 403 when the operator made the request itself or is its target */
export function refuseOwn(ctx: Ctx, record: ApprovalRecord): void {
  if (record.makerId === ctx.operator.id) throw refuse(refusals.ownRequest);
  if (record.targetType === 'agent' && record.targetId === ctx.operator.id) throw refuse(refusals.ownTarget);
}

/** Approves a request. The last required checker executes the action, with every check repeated. */
export const approvalPass = (registry: ActionRegistry) =>
  defineAction<ApprovalPassInput, ApprovalRow, ApprovalRecord>({
    call: calls.pass,
    load: (ctx, { id }) => findApproval(ctx, id),
    check: (ctx, record, { hash }) => {
      refuseOwn(ctx, record);
      if (hash !== undefined && hash !== record.hash) throw refuse(refusals.approvalChanged);
    },
    execute: async (ctx, input, requested) => {
      await requireEffectiveApprover(ctx, requested);
      requireSignedExceptions(requested, input.exceptions);
      const judged = await judgeNow(ctx, registry, requested);
      if (hasChanged(requested, judged)) return expireChanged(ctx, requested, await movedText(ctx, requested, judged));
      const action = registry.get(requested.type);
      await action?.countersign(ctx, requested.id);
      const record = await withRecordScope(ctx, requested, () => raiseToValueNow(ctx, action, requested));
      const raised = raisedFields(requested, record);
      if (record.required > 1) {
        const votes = await collectVote(ctx, record);
        if (votes < record.required) return answerFirstChecker(ctx, record, votes, raised);
      }
      const decision = { state: APPROVAL.passed, checkerId: ctx.operator.id, answer: reasonOf(input), now: ctx.now };
      if (!(await withRecordScope(ctx, record, () => decideApproval(ctx.db, record.id, decision))))
        throw await refuseClosed(ctx, record.id);
      const failure = await executeApproved(ctx, registry, record);
      if (failure) await failAndRelease(ctx, registry, record, failure);
      const link = failure ? undefined : await issueResetLink(ctx, record);
      const known = failure ? undefined : await tickKnown(ctx, record, input.known);
      const after = await reread(ctx, record.id);
      const done: ActionResult<ApprovalRow> = {
        data: link ? { ...after, link } : after,
        subject: subjectOf(record),
        before: { state: record.state, ...raised.before },
        after: { ...auditedFields(record, after), ...raised.after, ...(known && { known }) },
      };
      return failure
        ? { ...done, refusal: new Refused(refusals.executionFailed, after, `复核未能执行：${failure}`) }
        : done;
    },
  });

/** Ends an approval whose execution would make other records than it signed. Nothing is executed. */
async function expireChanged(ctx: Ctx, record: ApprovalRecord, answer: string): Promise<ActionResult<ApprovalRow>> {
  await withFullScope(ctx.db, () => endApprovals(ctx.db, [record], { answer, now: ctx.now }));
  const after = await reread(ctx, record.id);
  return {
    data: after,
    subject: subjectOf(record),
    before: { state: record.state },
    after: auditedFields(record, after),
    refusal: refuse(refusals.recordChanged, undefined, after),
  };
}

const auditedFields = (record: ApprovalRecord, after: ApprovalRow) => ({
  state: after.state,
  type: record.type,
  targetType: record.targetType,
  targetId: record.targetId,
  hash: record.hash,
  answer: after.answer,
});

/** The answer to the first of two checkers. Nothing is executed yet. */
async function answerFirstChecker(
  ctx: Ctx,
  record: ApprovalRecord,
  votes: number,
  raised: ReturnType<typeof raisedFields>,
): Promise<ActionResult<ApprovalRow>> {
  const after = await reread(ctx, record.id);
  return {
    data: after,
    msg: `已复核 ${votes}/${record.required}，还需另一名复核员通过`,
    subject: subjectOf(record),
    before: { given: votes - 1, ...raised.before },
    after: { ...auditedFields(record, after), ...raised.after, given: votes },
  };
}

/** Runs the approved action behind a savepoint. A refusal undoes only the action and is returned as a Chinese text. */
async function executeApproved(
  ctx: ActionCtx,
  registry: ActionRegistry,
  record: ApprovalRecord,
): Promise<string | undefined> {
  const { problem, maker } = await findExecutionProblem(ctx, registry, record, true);
  const action = registry.get(record.type);
  if (problem !== null || !maker || !action) return problem ?? '操作已不受支持';
  try {
    const work = () => runAction(ctx, action, record, maker);
    await withSavepoint(ctx.db, () => withRecordScope(ctx, record, work));
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    if (error instanceof InsufficientBalance) return '余额不足';
    if (error instanceof AccountClosed) return refusals.userDeleted.msg;
    throw error;
  }
}

async function runAction(
  ctx: ActionCtx,
  action: RegisteredAction<never, unknown>,
  record: ApprovalRecord,
  maker: MakerState,
): Promise<void> {
  const approved = { id: record.id, makerId: maker.id, maker: maker.account, checker: ctx.operator.account };
  if (action.permits) return permitMaker(ctx, record);
  const executionCtx = action.guarded ? { ...ctx, ...makerContext(ctx, record, maker) } : ctx;
  // Safe cast: the input was validated at the request, and its hash proves that it is unchanged.
  const done = await action.executeApproved(executionCtx, record.input as never, approved);
  const policy = action.call.approvable;
  if (policy !== undefined)
    await recordApprovedUse(ctx.db, {
      policy,
      operatorId: maker.id,
      userId: record.userId,
      amount: record.amount,
      now: ctx.now,
    });
  const auditCaller = { ...ctx, operator: { id: maker.id, account: maker.account }, sessionId: null };
  await recordAudit(ctx.db, auditCaller, {
    ...auditSubject(done.subject),
    action: record.type,
    result: CODE.ok,
    before: done.before,
    after: done.after,
    reason: auditReason(action.call, record.input),
    approvalId: record.id,
  });
}

/** Allows the maker one call within `PERMIT_MINUTES`. That call writes its own audit row. */
const permitMaker = (ctx: Ctx, record: ApprovalRecord): Promise<void> =>
  setPermit(ctx.db, record.id, ctx.now + PERMIT_MINUTES * 60_000);

async function failAndRelease(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
  failure: string,
): Promise<void> {
  await withRecordScope(ctx, record, () => failApproval(ctx.db, record.id, failure, ctx.now));
  await registry.get(record.type)?.release(ctx, record.targetId);
}

export const approvalReject = (registry: ActionRegistry) =>
  defineAction<ReasonInput, ApprovalRow, ApprovalRecord>({
    call: calls.reject,
    load: (ctx, { id }) => findApproval(ctx, id),
    check: refuseOwn,
    execute: async (ctx, input, record) => {
      const decision = { state: APPROVAL.rejected, checkerId: ctx.operator.id, answer: reasonOf(input) };
      return closeRequest(ctx, registry, record, decision);
    },
  });

/** Ends an open request without executing it, and moves its target back. */
export async function closeRequest(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
  decision: { state: number; checkerId: number | null; answer: string },
): Promise<ActionResult<ApprovalRow>> {
  const decided = { ...decision, now: ctx.now };
  if (!(await withRecordScope(ctx, record, () => decideApproval(ctx.db, record.id, decided))))
    throw await refuseClosed(ctx, record.id);
  await registry.get(record.type)?.release(ctx, record.targetId);
  const after = await reread(ctx, record.id);
  return { data: after, subject: subjectOf(record), before: { state: record.state }, after: { state: after.state } };
}

async function reread(ctx: Ctx, id: number): Promise<ApprovalRow> {
  const record = requireFound(await findApproval(ctx, id));
  return withoutInternals(record);
}

async function refuseClosed(ctx: Ctx, id: number): Promise<Refused> {
  const record = await findApproval(ctx, id);
  return refuse(
    refusals.approvalClosed,
    undefined,
    record && { state: record.state, by: record.checker, at: record.decidedAt },
  );
}

/** Expires undecided approvals and moves their targets back. Returns how many expired. */
export async function expireOverdue(app: App, registry: ActionRegistry): Promise<number> {
  const now = app.clock.now();
  return inTransaction(app.system, async (db) => {
    const expired = await expireApprovals(db, now);
    for (const approval of expired) {
      await registry.get(approval.action)?.release({ db, now }, approval.targetId);
      await recordAudit(
        db,
        { operator: null, sessionId: null, ip: '', userAgent: '', requestId: `approval-${approval.id}`, now },
        {
          action: 'approval.expire',
          result: CODE.ok,
          targetType: 'approval',
          targetId: approval.id,
          userId: approval.userId,
          agentId: approval.agentId,
          approvalId: approval.id,
          before: { state: APPROVAL.open },
          after: { state: APPROVAL.expired, answer: approval.answer },
        },
      );
    }
    return expired.length;
  });
}
