import type { ActionInput, ReasonInput } from '@hengtai/contract/wire/schema';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import {
  type WithdrawAction,
  explainedActions,
  payingActions,
  unexplainedStates,
  withdraw as calls,
} from '@hengtai/contract/funds/withdraw/calls';
import { withdrawStates, WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { WithdrawResolve, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { settlePayouts, withdrawPayout } from '../../../gateway/payout.store.ts';
import { type Action, type ApprovedRequest, type ActionResult, defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { release } from '../../../books/ledger/hold.ts';
import type { Leg, PostedEntry } from '../../../books/ledger/post.ts';
import { refuse, refuseField, requireFound, refuseState } from '../../../app/refuse.ts';
import { refusals } from '@hengtai/contract/wire/refusals';
import { enqueueBalanceChanges } from '../../../gateway/balance-command.store.ts';
import { closeCause } from '../../house/alarm/alarm.store.ts';
import { causeOf, fetchUnexplainedHashes, hasUnexplained } from './payout-statement.store.ts';
import {
  type PayingAction,
  countCheckers,
  countersign,
  prepareApproval,
  requireNoObstacle,
} from './payout-step.store.ts';
import { orderPayout } from './payout.steps.ts';
import { previewWithdraw } from './withdraw-preview.service.ts';
import {
  type DecidedWithdraw,
  type WithdrawMove,
  type WithdrawRecord,
  auditedFields,
  heldText,
  holdOwner,
  isHeld,
  openStates,
  paidLegs,
  refundedLegs,
  rejectedLegs,
  reviewedCommand,
} from './withdraw.rules.ts';
import { decidedValue, withoutInternals } from './withdraw-value.rules.ts';
import { findWithdraw, lockPayoutUser, moveWithdraw } from './withdraw.store.ts';

const subjectOf = recordSubject('withdraw');

/** Passes a withdrawal in review, or one whose checker approved it, and orders the payout from the wallet. */
export const withdrawPass = withdrawAction<ActionInput>('pass', calls.pass, {
  hasSecondState: true,
  execute: async (ctx, input, target, approved) => {
    requireAlone(ctx, await lockPayoutUser(ctx.db, target.userId));
    const move = decidedBy(ctx, approved, { to: WITHDRAW.queued, attempt: true, ...toReasonField(input) });
    return order(ctx, target, 'pass', move, approved);
  },
});

export const withdrawReject = withdrawAction<ActionInput>('reject', calls.reject, {
  execute: async (ctx, input, target) => {
    await lockApprovals(ctx.db, { type: 'withdraw', id: target.id });
    await moveOr409(
      ctx,
      target,
      'reject',
      decidedBy(ctx, undefined, { to: WITHDRAW.rejected, ...toReasonField(input) }),
    );
    const closing = { state: APPROVAL.rejected, answer: reasonOf(input), now: ctx.now };
    await closeApprovals(ctx.db, { type: 'withdraw', id: target.id }, closing);
    return releaseAndFinish(ctx, target, rejectedLegs(target));
  },
});

/** Orders the payout once more, as a new attempt. */
export const withdrawRetry = withdrawAction<ActionInput>('retry', calls.retry, {
  execute: async (ctx, _input, target, approved) => {
    await lockPayoutUser(ctx.db, target.userId);
    return order(ctx, target, 'retry', { to: WITHDRAW.queued, attempt: true, now: ctx.now }, approved);
  },
});

/** Calls back a payout whose command nobody was given yet. It waits for a retry or refund. */
export const withdrawRecall = withdrawAction<ReasonInput>('recall', calls.recall, {
  execute: async (ctx, input, target) => {
    const reason = input.reason.trim();
    // A delivery changes the same row: one of the two comes first.
    if (!(await withdrawPayout(ctx.db, target.id, reason, ctx.now))) throw refuse(refusals.payoutHandedOver);
    await moveOr409(ctx, target, 'recall', decidedBy(ctx, undefined, { to: WITHDRAW.failed, reason }));
    return finishAndNotify(ctx, target, []);
  },
});

export const withdrawRefund = withdrawAction<ReasonInput>('refund', calls.refund, {
  execute: async (ctx, input, target, approved) => {
    await moveOr409(
      ctx,
      target,
      'refund',
      decidedBy(ctx, approved, { to: WITHDRAW.refunded, ...toReasonField(input) }),
      approved,
    );
    return releaseAndFinish(ctx, target, refundedLegs(target));
  },
});

/**
 * Records the outcome of a payout that the wallet reported as unknown, or of a payment that nobody expected. One that was not
 * made leaves a withdrawal that waits for its review as it is.
 */
export const withdrawResolve = withdrawAction<WithdrawResolve>('resolve', calls.resolve, {
  validate: (input) => {
    if (input.paid && input.txHash === undefined) throw refuseField('txHash', '不能为空');
  },
  execute: async (ctx, input, target, approved) => {
    if (!input.paid && isUnderReview(target)) {
      await explain(ctx, input, target);
      return resultOf(target, requireFound(await findWithdraw(ctx, target.id)));
    }
    const to = input.paid ? WITHDRAW.paid : WITHDRAW.failed;
    const move = decidedBy(ctx, approved, { to, txHash: input.txHash, ...toReasonField(input) });
    await lockApprovals(ctx.db, { type: 'withdraw', id: target.id });
    await settlePayouts(ctx.db, target.id, input.paid, ctx.now);
    await moveOr409(ctx, target, 'resolve', move, approved);
    await explain(ctx, input, target);
    const closing = { state: APPROVAL.expired, answer: '已确认打款结果', now: ctx.now };
    if (isUnderReview(target)) await closeApprovals(ctx.db, { type: 'withdraw', id: target.id }, closing);
    const entries = input.paid
      ? await release(ctx.db, headOf(ctx, target), holdOwner(target), target.amount, paidLegs(target))
      : [];
    return finishAndNotify(ctx, target, entries);
  },
});

const isUnderReview = ({ state }: WithdrawRecord): boolean => (unexplainedStates as readonly number[]).includes(state);

/**
 * Closes the alarm about unexpected payments. It stays open for hashes other than that of the payment.
 *
 * @throws Refused 409 if the alarm that allowed the action was closed meanwhile
 */
async function explain(ctx: Ctx, { paid, txHash, reason }: WithdrawResolve, target: WithdrawRecord): Promise<void> {
  const hashes = await fetchUnexplainedHashes(ctx.db, target.id);
  const isExplained = !paid || hashes.every((hash) => hash === txHash);
  const close = { by: ctx.operator.account, operatorId: ctx.operator.id, reason: reason.trim(), now: ctx.now };
  const isClosed = isExplained && (await closeCause(ctx.db, causeOf(target.id), close));
  const isGone = hashes.length === 0 || isClosed !== isExplained;
  if (isUnderReview(target) && isGone) throw refuseState(withdrawStates, target);
}

interface WithdrawSpec<I extends { id: number }> {
  /** Whether the withdrawal moves to the state `second` while its approval is open. */
  hasSecondState?: true;
  validate?: (input: I) => void;
  execute: NonNullable<Action<I, WithdrawRow, DecidedWithdraw>['execute']>;
}

function withdrawAction<I extends { id: number }>(
  name: WithdrawAction,
  call: Action<I, WithdrawRow, DecidedWithdraw>['call'],
  spec: WithdrawSpec<I>,
) {
  const paying = name === 'pass' || name === 'retry' ? name : undefined;
  return defineAction<I, WithdrawRow, DecidedWithdraw>({
    call,
    ...(spec.validate && { validate: spec.validate }),
    load: (ctx, { id }) => findWithdraw(ctx, id),
    check: (ctx, target, _input, approved) => {
      if (target.unexplained && explainedActions.includes(name)) throw refuse(refusals.unexplainedPayment);
      if (!statesOf(name, target, approved).includes(target.state)) throw refuseState(withdrawStates, target);
      if (!payingActions.includes(name)) return;
      requirePayable(target, ctx.now);
      requireAlone(ctx, target.userFrozen);
    },
    policy: {
      subject: subjectOf,
      amount: decidedValue,
      preview: (ctx, input) => previewWithdraw(ctx, name, input),
      ...(paying && {
        minimum: async (ctx, target) => {
          // Before a checker or a signature is asked for.
          await requireNoObstacle(ctx.db, target, ctx.now);
          return countCheckers(ctx, target, paying);
        },
        countersign,
      }),
      submit: async (ctx, target, approvalId) => {
        if (paying) await prepareApproval(ctx, target, paying, approvalId);
        if (spec.hasSecondState) await moveToSecond(ctx, target);
      },
      ...(spec.hasSecondState && {
        release: async (ctx, targetId) => {
          await moveWithdraw(ctx.db, targetId, { from: [WITHDRAW.second], to: WITHDRAW.review, now: ctx.now });
        },
      }),
    },
    execute: spec.execute,
  });
}

/** An unexplained payment is resolved before the withdrawal is passed as well. */
const statesOf = (
  name: WithdrawAction,
  { unexplained }: WithdrawRecord,
  approved: ApprovedRequest | undefined,
): readonly number[] => {
  const states = openStates(name, approved !== undefined);
  return name === 'resolve' && unexplained ? [...states, ...unexplainedStates] : states;
};

async function moveToSecond(ctx: Ctx, target: DecidedWithdraw): Promise<void> {
  const move = { from: [WITHDRAW.review], to: WITHDRAW.second, now: ctx.now };
  if (!(await moveWithdraw(ctx.db, target.id, move)))
    throw refuseState(withdrawStates, requireFound(await findWithdraw(ctx, target.id)));
}

/** @throws Refused 409 while payouts of the user wait because an operator reset its password */
function requirePayable({ payoutHeldUntil: until }: WithdrawRecord, now: number): void {
  if (isHeld(until, now)) throw refuse(refusals.payoutHeld, heldText(until, now));
}

/** @throws Refused 409 for a frozen user in a bulk call: somebody must look at this one */
function requireAlone({ call }: Ctx, isFrozen: boolean): void {
  if (isFrozen && call === 'withdraw.passMany') throw refuse(refusals.userFrozen);
}

async function moveOr409(
  ctx: Ctx,
  target: WithdrawRecord,
  name: WithdrawAction,
  move: Omit<WithdrawMove, 'from'>,
  approved?: ApprovedRequest,
): Promise<void> {
  const from = statesOf(name, target, approved);
  if (!(await moveWithdraw(ctx.db, target.id, { ...move, from })))
    throw refuseState(withdrawStates, requireFound(await findWithdraw(ctx, target.id)));
  // After the move, whose lock decides whether a payment is reported before or after it.
  if (explainedActions.includes(name) && (await hasUnexplained(ctx.db, target.id)))
    throw refuse(refusals.unexplainedPayment);
}

function decidedBy(ctx: Ctx, approved: ApprovedRequest | undefined, move: Omit<WithdrawMove, 'from' | 'now'>) {
  return { ...move, by: approved?.maker ?? ctx.operator.account, secondBy: approved?.checker, now: ctx.now };
}

const toReasonField = (input: object): { reason?: string } => {
  const reason = reasonOf(input);
  return reason === '' ? {} : { reason };
};

const headOf = (ctx: Ctx, target: WithdrawRecord) => ({
  refType: 'withdraw',
  refId: target.id,
  at: ctx.now,
  now: ctx.now,
  operatorId: ctx.operator.id,
});

async function order(
  ctx: Ctx,
  target: DecidedWithdraw,
  action: PayingAction,
  move: Omit<WithdrawMove, 'from'>,
  approved: ApprovedRequest | undefined,
): Promise<ActionResult<WithdrawRow>> {
  const payer = { action, maker: approved?.maker ?? ctx.operator.account, approvalId: approved?.id };
  const from = openStates(action, approved !== undefined);
  return resultOf(target, await orderPayout(ctx, { target, payer, now: ctx.now }, { ...move, from }));
}

async function releaseAndFinish(
  ctx: Ctx,
  target: WithdrawRecord,
  legs: readonly Leg[],
): Promise<ActionResult<WithdrawRow>> {
  const entries = await release(ctx.db, headOf(ctx, target), holdOwner(target), target.amount, legs);
  return finishAndNotify(ctx, target, entries);
}

/** Enqueues the decision and the changed balances, in this order, and returns the result of the action. */
async function finishAndNotify(
  ctx: Ctx,
  target: WithdrawRecord,
  entries: readonly PostedEntry[],
): Promise<ActionResult<WithdrawRow>> {
  const after = requireFound(await findWithdraw(ctx, target.id));
  await enqueue(ctx.db, reviewedCommand(after, ctx.now));
  await enqueueBalanceChanges(ctx.db, entries, ctx.now);
  return resultOf(target, after);
}

const resultOf = (target: WithdrawRecord, after: DecidedWithdraw): ActionResult<WithdrawRow> => ({
  data: withoutInternals(after),
  subject: subjectOf(target),
  before: auditedFields(target),
  after: auditedFields(after),
});
