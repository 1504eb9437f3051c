import { APPROVAL, APPROVAL_HOURS, approval as calls } from '@hengtai/contract/approval';
import type { ApprovalDo, ApprovalReject, ApprovalRow } from '@hengtai/contract/approval.schema';
import { CODE } from '@hengtai/contract/envelope';
import { refusals } from '@hengtai/contract/refusals';
import { note } from '../audit/audit.store.ts';
import type { App, Ctx } from '../context.ts';
import { behindSavepoint, inTransaction } from '../db/connect.ts';
import {
  type AskApproval,
  type Done,
  type Request,
  type SealedAction,
  type Subject,
  auditSubject,
  defineAction,
  reasonOf,
} from '../http/action.ts';
import { AccountClosed, InsufficientBalance } from '../ledger/post.ts';
import { Refused, refuse } from '../refuse.ts';
import { hashOf } from './approval.rules.ts';
import {
  type ApprovalRecord,
  type MakerNow,
  decideApproval,
  expireApprovals,
  failApproval,
  findApproval,
  findMaker,
  insertApproval,
} from './approval.store.ts';
import { lockUser, needsSecondOrUse, noteUse } from './policy.store.ts';

/** The actions that can wait for a second person, by name. */
export type ActionRegistry = ReadonlyMap<string, SealedAction<never, unknown>>;

/** Asks the policy of a deed; opens an approval when a second person is needed, else remembers the deed for later sums. */
export const askApproval: AskApproval = async (ctx, request, submit) => {
  const question = {
    policy: request.policy,
    operatorId: ctx.operator.id,
    userId: request.subject.userId ?? null,
    amount: request.amount,
    now: ctx.now,
  };
  if (question.userId !== null && !(await lockUser(ctx, question.userId))) throw refuse(refusals.notFound);
  if (!(await needsSecondOrUse(ctx.db, question))) return undefined;
  return open(ctx, request, submit);
};

async function open(ctx: Ctx, request: Request, submit: () => Promise<void>): Promise<ApprovalRow> {
  const { subject, action, input } = request;
  const asked = { action, targetType: subject.type, targetId: subject.id, makerId: ctx.operator.id, input };
  const hash = hashOf(asked);
  const id = await insertApproval(ctx.db, {
    ...asked,
    userId: subject.userId ?? null,
    agentId: subject.agentId ?? null,
    hash,
    amount: request.amount,
    reason: reasonOf(input),
    now: ctx.now,
    expiresAt: ctx.now + APPROVAL_HOURS * 3_600_000,
  });
  if (id === undefined) throw refuse(refusals.approvalOpen);
  await submit();
  await note(ctx.db, ctx, {
    ...auditSubject(subject),
    action,
    result: CODE.submitted,
    // The chain of the audit log keeps the hash out of reach of whoever could change the request and its hash together.
    after: { input, hash },
    reason: reasonOf(input),
    approvalId: id,
  });
  const opened = await findApproval(ctx, id);
  if (!opened) throw new Error('the approval just opened cannot be read');
  return withoutInternals(opened);
}

const subjectOf = (record: ApprovalRecord): Subject => ({
  type: 'approval',
  id: record.id,
  userId: record.userId,
  account: record.account,
  agentId: record.agentId,
});

export function withoutInternals({ makerId: _maker, agentId: _agent, ...row }: ApprovalRecord): ApprovalRow {
  return row;
}

export function refuseOwn(ctx: Ctx, record: ApprovalRecord): void {
  if (record.makerId === ctx.operator.id) throw refuse(refusals.ownRequest);
  if (record.targetType === 'agent' && record.targetId === ctx.operator.id) throw refuse(refusals.onOneself);
}

/** The second person's yes: the deed is executed now, with every check made again. */
export const approvalPass = (registry: ActionRegistry) =>
  defineAction<ApprovalDo, ApprovalRow, ApprovalRecord>({
    name: 'approval.pass',
    call: calls.pass,
    load: (ctx, { id }) => findApproval(ctx, id),
    check: (ctx, record, { hash }) => {
      refuseOwn(ctx, record);
      if (hash !== undefined && hash !== record.hash) throw refuse(refusals.approvalChanged);
    },
    execute: async (ctx, input, record) => {
      const decision = { state: APPROVAL.passed, checkerId: ctx.operator.id, answer: reasonOf(input), now: ctx.now };
      if (!(await decideApproval(ctx.db, record.id, decision))) throw await closed(ctx, record.id);
      const failure = await executeApproved(ctx, registry, record);
      if (failure) await undo(ctx, registry, record, failure);
      const after = await reread(ctx, record.id);
      const done: Done<ApprovalRow> = {
        data: after,
        subject: subjectOf(record),
        before: { state: record.state },
        after: {
          state: after.state,
          type: record.type,
          targetType: record.targetType,
          targetId: record.targetId,
          hash: record.hash,
          answer: after.answer,
        },
      };
      return failure
        ? { ...done, refusal: new Refused(refusals.executionFailed, after, `复核未能执行：${failure}`) }
        : done;
    },
  });

/** Whether what is stored is what was submitted, and its maker could still do it; else why not, in words. */
export async function problemBefore(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
  lock = false,
): Promise<{ intact: boolean; problem: string | null; maker?: MakerNow }> {
  const intact = hashOf({ ...record, action: record.type }) === record.hash;
  const action = registry.get(record.type);
  if (!action) return { intact, problem: '操作已不受支持' };
  if (!intact) return { intact, problem: '申请内容已被改动' };
  const maker = await findMaker(ctx, record.makerId, record.agentId, lock);
  const ability = action.call.ability;
  const able = maker?.enabled && (maker.top || ability === undefined || maker.abilities.includes(ability));
  if (!maker || !able || !maker.reaches) return { intact, problem: '申请人已没有此权限' };
  return { intact, problem: null, maker };
}

/** Runs the approved deed behind a savepoint; a refusal undoes only the deed and is returned in words. */
async function executeApproved(
  ctx: Ctx,
  registry: ActionRegistry,
  record: ApprovalRecord,
): Promise<string | undefined> {
  const { problem, maker } = await problemBefore(ctx, registry, record, true);
  const action = registry.get(record.type);
  if (problem !== null || !maker || !action) return problem ?? '操作已不受支持';
  try {
    await behindSavepoint(ctx.db, () => deed(ctx, action, record, maker));
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    if (error instanceof InsufficientBalance) return '余额不足';
    if (error instanceof AccountClosed) return refusals.userDeleted.msg;
    throw error;
  }
}

async function deed(
  ctx: Ctx,
  action: SealedAction<never, unknown>,
  record: ApprovalRecord,
  maker: { id: number; account: string },
): Promise<void> {
  const approved = { id: record.id, makerId: maker.id, maker: maker.account, checker: ctx.operator.account };
  // The input was validated when the request was made, and its hash says that it is the same.
  const done = await action.executeApproved(ctx, record.input as never, approved);
  await noteUse(ctx.db, {
    policy: action.call.approvable ?? record.type,
    operatorId: maker.id,
    userId: record.userId,
    amount: record.amount,
    now: ctx.now,
  });
  const who = { ...ctx, operator: { id: maker.id, account: maker.account }, sessionId: null };
  await note(ctx.db, who, {
    ...auditSubject(done.subject),
    action: record.type,
    result: CODE.ok,
    before: done.before,
    after: done.after,
    reason: record.reason,
    approvalId: record.id,
  });
}

async function undo(ctx: Ctx, registry: ActionRegistry, record: ApprovalRecord, failure: string): Promise<void> {
  await failApproval(ctx.db, record.id, failure, ctx.now);
  await registry.get(record.type)?.release(ctx, record.targetId);
}

export const approvalReject = (registry: ActionRegistry) =>
  defineAction<ApprovalReject, ApprovalRow, ApprovalRecord>({
    name: 'approval.reject',
    call: calls.reject,
    load: (ctx, { id }) => findApproval(ctx, id),
    check: refuseOwn,
    execute: async (ctx, input, record) => {
      const decision = { state: APPROVAL.rejected, checkerId: ctx.operator.id, answer: reasonOf(input), now: ctx.now };
      if (!(await decideApproval(ctx.db, record.id, decision))) throw await closed(ctx, record.id);
      await registry.get(record.type)?.release(ctx, record.targetId);
      const after = await reread(ctx, record.id);
      return {
        data: after,
        subject: subjectOf(record),
        before: { state: record.state },
        after: { state: after.state },
      };
    },
  });

async function reread(ctx: Ctx, id: number): Promise<ApprovalRow> {
  const record = await findApproval(ctx, id);
  if (!record) throw refuse(refusals.notFound);
  return withoutInternals(record);
}

async function closed(ctx: Ctx, id: number): Promise<Refused> {
  const record = await findApproval(ctx, id);
  return refuse(
    refusals.approvalClosed,
    undefined,
    record && { state: record.state, by: record.checker, at: record.decidedAt },
  );
}

/** Ends approvals that nobody decided within their day, and puts their targets back. */
export async function expireOverdue(app: App, registry: ActionRegistry): Promise<number> {
  const now = app.clock.now();
  return inTransaction(app.system, async (db) => {
    const expired = await expireApprovals(db, now);
    for (const approval of expired) {
      await registry.get(approval.action)?.release({ db, now }, approval.targetId);
      await note(
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
          after: { state: APPROVAL.expired },
        },
      );
    }
    return expired.length;
  });
}
