import type { ActionInput, ReasonInput } from '@hengtai/contract/schema';
import { APPROVAL } from '@hengtai/contract/approval';
import { WITHDRAW, type WithdrawAction, payingActions, withdraw as calls } from '@hengtai/contract/withdraw';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import type { WithdrawResolve, WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { closeApprovals, lockApprovals } from '../../actions/approval-end.store.ts';
import type { Ctx } from '../../core/context.ts';
import { type NewCommand, enqueue } from '../../gateway/command.store.ts';
import { settlePayouts } from '../../gateway/payout.store.ts';
import { type Action, type ApprovedRequest, type ActionResult, defineAction } from '../../actions/action.ts';
import { reasonOf, recordSubject } from '../../actions/action-audit.ts';
import { release } from '../../ledger/hold.ts';
import type { Leg, PostedEntry } from '../../ledger/post.ts';
import { refuse, refuseField, requireFound, refuseState } from '../../core/refuse.ts';
import { refusals } from '@hengtai/contract/refusals';
import { InvalidText, parseSignable } from '@hengtai/contract/signing-text';
import { findRestriction } from '../rule/rule-result.store.ts';
import { requireScreened, screenedWithdraw } from '../screening/screening.rules.ts';
import { countersign, findRequiredRoster, requireOwnSignature, requireSignedPayout } from '../signing/signing.rules.ts';
import { addPayoutSignature, insertPayoutText } from '../signing/signing.store.ts';
import { enqueueBalanceChanges } from '../../gateway/balance-command.store.ts';
import { previewWithdraw } from './withdraw-preview.service.ts';
import {
  auditedFields,
  heldText,
  holdOwner,
  isHeld,
  openStates,
  paidLegs,
  payoutCommand,
  payoutTextOf,
  refundedLegs,
  rejectedLegs,
  reviewedCommand,
} from './withdraw.rules.ts';
import { decidedValue, withoutInternals } from './withdraw-value.rules.ts';
import {
  type DecidedWithdraw,
  type WithdrawMove,
  type WithdrawRecord,
  findWithdraw,
  lockPayoutUser,
  moveWithdraw,
} from './withdraw.store.ts';

const subjectOf = recordSubject('withdraw');

/** Passes a withdrawal in review, or one whose checker approved it, and orders the payout from the wallet. */
export const withdrawPass = withdrawAction<ActionInput>('pass', calls.pass, {
  hasSecondState: true,
  execute: async (ctx, input, target, approved) => {
    requireAlone(ctx, await lockPayoutUser(ctx.db, target.userId));
    await moveOr409(
      ctx,
      target,
      'pass',
      decidedBy(ctx, approved, { to: WITHDRAW.queued, attempt: true, ...toReasonField(input) }),
      approved,
    );
    return orderPayout(ctx, target, 'pass', approved);
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
    await moveOr409(ctx, target, 'retry', { to: WITHDRAW.queued, attempt: true, now: ctx.now }, approved);
    return orderPayout(ctx, target, 'retry', approved);
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

/** Records the outcome of a payout that the wallet reported as unknown. */
export const withdrawResolve = withdrawAction<WithdrawResolve>('resolve', calls.resolve, {
  validate: (input) => {
    if (input.paid && input.txHash === undefined) throw refuseField('txHash', '不能为空');
  },
  execute: async (ctx, input, target, approved) => {
    const to = input.paid ? WITHDRAW.paid : WITHDRAW.failed;
    const move = decidedBy(ctx, approved, { to, txHash: input.txHash, ...toReasonField(input) });
    await settlePayouts(ctx.db, target.id, input.paid, ctx.now);
    await moveOr409(ctx, target, 'resolve', move, approved);
    const entries = input.paid
      ? await release(ctx.db, headOf(ctx, target), holdOwner(target), target.amount, paidLegs(target))
      : [];
    return finishAndNotify(ctx, target, entries);
  },
});

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
  const signs = name === 'pass' || name === 'retry' ? signingOf(name) : undefined;
  return defineAction<I, WithdrawRow, DecidedWithdraw>({
    call,
    ...(spec.validate && { validate: spec.validate }),
    load: (ctx, { id }) => findWithdraw(ctx, id),
    check: (ctx, target, _input, approved) => {
      if (!openStates(name, approved !== undefined).includes(target.state)) throw refuseState(withdrawStates, target);
      if (!payingActions.includes(name)) return;
      requirePayable(target, ctx.now);
      requireAlone(ctx, target.userFrozen);
    },
    policy: {
      subject: subjectOf,
      amount: decidedValue,
      preview: (ctx, input) => previewWithdraw(ctx, name, input),
      ...(signs && {
        minimum: async (ctx, target) => {
          // Before a checker or a signature is asked for.
          await requireScreened(ctx.db, screenedWithdraw(target), ctx.now);
          return Math.max(await signs.minimum(ctx, target), await findDemandedCheckers(ctx, target, name));
        },
        countersign,
      }),
      submit: async (ctx, target, approvalId) => {
        await signs?.submit(ctx, target, approvalId);
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

/**
 * The checkers that rules demand for a pass. A retry repeats a payout that was passed.
 *
 * @throws Refused 409 for a withdrawal that a rule holds, in a bulk call
 */
async function findDemandedCheckers({ db, call }: Ctx, { id }: DecidedWithdraw, name: WithdrawAction): Promise<number> {
  if (name !== 'pass') return 0;
  const { hold = false, people = 0 } = (await findRestriction(db, id)) ?? {};
  if (hold && call === 'withdraw.passMany') throw refuse(refusals.heldByRule);
  return Math.max(people - 1, 0);
}

/** In signed mode the maker signs the text of the payout; `countersign` asks the checkers to. */
function signingOf(name: 'pass' | 'retry') {
  return {
    minimum: async (ctx: Ctx, target: DecidedWithdraw): Promise<number> => {
      const roster = await findRequiredRoster(ctx.db);
      if (!roster) return 0;
      await requireOwnSignature(ctx, roster, signableTextOf(target, ctx.operator.account, name));
      return roster.threshold - 1;
    },
    submit: async (ctx: Ctx, target: DecidedWithdraw, approvalId: number): Promise<void> => {
      const roster = await findRequiredRoster(ctx.db);
      if (!roster) return;
      const text = payoutTextOf(target, ctx.operator.account, name);
      const signatureId = await requireOwnSignature(ctx, roster, text);
      const { id: withdrawId, attempt } = target;
      await insertPayoutText(ctx.db, { approvalId, withdrawId, attempt: attempt + 1, text, createdAt: ctx.now });
      await addPayoutSignature(ctx.db, approvalId, signatureId);
    },
  };
}

/** @throws Refused 409 if a field, for example of the platform, is not one that a text can have */
function signableTextOf(target: DecidedWithdraw, maker: string, name: 'pass' | 'retry'): string {
  const text = payoutTextOf(target, maker, name);
  try {
    parseSignable(text);
    return text;
  } catch (error) {
    if (error instanceof InvalidText) throw refuse(refusals.payoutUnsignable);
    throw error;
  }
}

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
  const from = openStates(name, approved !== undefined);
  if (!(await moveWithdraw(ctx.db, target.id, { ...move, from })))
    throw refuseState(withdrawStates, requireFound(await findWithdraw(ctx, target.id)));
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

async function orderPayout(
  ctx: Ctx,
  target: DecidedWithdraw,
  name: 'pass' | 'retry',
  approved: ApprovedRequest | undefined,
): Promise<ActionResult<WithdrawRow>> {
  // After the move, which locks the withdrawal: no answer can come in between.
  await requireScreened(ctx.db, screenedWithdraw(target), ctx.now);
  const roster = await findRequiredRoster(ctx.db);
  const text = payoutTextOf(target, approved?.maker ?? ctx.operator.account, name);
  const signed = roster && (await requireSignedPayout(ctx.db, roster, approved?.id, text));
  return finishAndNotify(ctx, target, [], [payoutCommand(target, signed, ctx.now)]);
}

async function releaseAndFinish(
  ctx: Ctx,
  target: WithdrawRecord,
  legs: readonly Leg[],
): Promise<ActionResult<WithdrawRow>> {
  const entries = await release(ctx.db, headOf(ctx, target), holdOwner(target), target.amount, legs);
  return finishAndNotify(ctx, target, entries);
}

/** Enqueues the orders, the decision and the changed balances, in this order, and returns the result of the action. */
async function finishAndNotify(
  ctx: Ctx,
  target: WithdrawRecord,
  entries: readonly PostedEntry[],
  orders: readonly NewCommand[] = [],
): Promise<ActionResult<WithdrawRow>> {
  const after = requireFound(await findWithdraw(ctx, target.id));
  await enqueue(ctx.db, ...orders, reviewedCommand(after, ctx.now));
  await enqueueBalanceChanges(ctx.db, entries, ctx.now);
  return {
    data: withoutInternals(after),
    subject: subjectOf(target),
    before: auditedFields(target),
    after: auditedFields(after),
  };
}
