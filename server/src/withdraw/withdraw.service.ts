import { APPROVAL } from '@hengtai/contract/approval';
import {
  WITHDRAW,
  type WithdrawAction,
  type WithdrawState,
  payingActions,
  withdraw as calls,
  withdrawStates,
} from '@hengtai/contract/withdraw';
import type { WithdrawDo, WithdrawResolve, WithdrawRow, WithdrawWhy } from '@hengtai/contract/withdraw.schema';
import { closeApprovals, lockApprovals } from '../approval/approval.store.ts';
import type { Ctx } from '../context.ts';
import { type NewCommand, enqueue } from '../gateway/command.store.ts';
import { settlePayouts } from '../gateway/payout.store.ts';
import { type Action, type Approved, type Done, defineAction } from '../http/action.ts';
import { type Subject, reasonOf } from '../http/action-audit.ts';
import { release } from '../ledger/hold.ts';
import type { Leg, PostedEntry } from '../ledger/post.ts';
import { type Refused, refuse, refuseField, refuseMoved } from '../refuse.ts';
import { refusals } from '@hengtai/contract/refusals';
import { enqueueBalanceChanges } from '../user/balance.store.ts';
import { previewWithdraw } from './withdraw-preview.service.ts';
import { heldText, holdOwner, isHeld, openStates, paidLegs, refundedLegs, rejectedLegs } from './withdraw.rules.ts';
import { type WithdrawMove, type WithdrawRecord, findWithdraw, moveWithdraw } from './withdraw.store.ts';

/** Decides a withdrawal that waits for review, or for its second person: the wallet is ordered to pay. */
export const withdrawPass = withdrawAction<WithdrawDo>('pass', calls.pass, {
  waiting: true,
  execute: async (ctx, input, target, approved) => {
    await moveOr409(
      ctx,
      target,
      'pass',
      decidedBy(ctx, approved, { to: WITHDRAW.queued, attempt: true, ...given(input) }),
      approved,
    );
    return ordered(ctx, target);
  },
});

export const withdrawReject = withdrawAction<WithdrawDo>('reject', calls.reject, {
  execute: async (ctx, input, target) => {
    await lockApprovals(ctx.db, { type: 'withdraw', id: target.id });
    await moveOr409(ctx, target, 'reject', decidedBy(ctx, undefined, { to: WITHDRAW.rejected, ...given(input) }));
    const closing = { state: APPROVAL.rejected, answer: reasonOf(input), now: ctx.now };
    await closeApprovals(ctx.db, { type: 'withdraw', id: target.id }, closing);
    return givenBack(ctx, target, rejectedLegs(target));
  },
});

/** Orders the payout once more, as a new attempt. */
export const withdrawRetry = withdrawAction<WithdrawDo>('retry', calls.retry, {
  execute: async (ctx, _input, target, approved) => {
    await moveOr409(ctx, target, 'retry', { to: WITHDRAW.queued, attempt: true, now: ctx.now }, approved);
    return ordered(ctx, target);
  },
});

export const withdrawRefund = withdrawAction<WithdrawWhy>('refund', calls.refund, {
  execute: async (ctx, input, target, approved) => {
    await moveOr409(
      ctx,
      target,
      'refund',
      decidedBy(ctx, approved, { to: WITHDRAW.refunded, ...given(input) }),
      approved,
    );
    return givenBack(ctx, target, refundedLegs(target));
  },
});

/** An operator found out what became of a payout whose outcome was unknown. */
export const withdrawResolve = withdrawAction<WithdrawResolve>('resolve', calls.resolve, {
  validate: (input) => {
    if (input.paid && input.txHash === undefined) throw refuseField('txHash', '不能为空');
  },
  execute: async (ctx, input, target, approved) => {
    const to = input.paid ? WITHDRAW.paid : WITHDRAW.failed;
    const move = decidedBy(ctx, approved, { to, txHash: input.txHash, ...given(input) });
    await settlePayouts(ctx.db, target.id, input.paid, ctx.now);
    await moveOr409(ctx, target, 'resolve', move, approved);
    const entries = input.paid
      ? await release(ctx.db, headOf(ctx, target), holdOwner(target), target.amount, paidLegs(target))
      : [];
    return reviewed(ctx, target, entries);
  },
});

interface WithdrawSpec<I extends { id: number }> {
  /** The withdrawal shows that it waits for a second person. */
  waiting?: true;
  validate?: (input: I) => void;
  execute: NonNullable<Action<I, WithdrawRow, WithdrawRecord>['execute']>;
}

function withdrawAction<I extends { id: number }>(
  name: WithdrawAction,
  call: Action<I, WithdrawRow, WithdrawRecord>['call'],
  spec: WithdrawSpec<I>,
) {
  return defineAction<I, WithdrawRow, WithdrawRecord>({
    name: `withdraw.${name}`,
    call,
    ...(spec.validate && { validate: spec.validate }),
    load: (ctx, { id }) => findWithdraw(ctx, id),
    check: (ctx, target, _input, approved) => {
      if (!openStates(name, approved !== undefined).includes(target.state)) throw moved(target);
      if (payingActions.includes(name)) requirePayable(target, ctx.now);
    },
    policy: {
      subject: subjectOf,
      amount: (target) => target.valuation,
      preview: (ctx, input) => previewWithdraw(ctx, name, input),
      ...(spec.waiting && {
        submit: async (ctx, target) => {
          const waiting = { from: [WITHDRAW.review], to: WITHDRAW.second, now: ctx.now };
          if (!(await moveWithdraw(ctx.db, target.id, waiting))) throw await movedNow(ctx, target.id);
        },
        release: async (ctx, targetId) => {
          await moveWithdraw(ctx.db, targetId, { from: [WITHDRAW.second], to: WITHDRAW.review, now: ctx.now });
        },
      }),
    },
    execute: spec.execute,
  });
}

/** @throws Refused 409 while payouts of the user wait because an operator reset its password */
function requirePayable({ payoutHeldUntil: until }: WithdrawRecord, now: number): void {
  if (isHeld(until, now)) throw refuse(refusals.payoutHeld, heldText(until, now));
}

async function moveOr409(
  ctx: Ctx,
  target: WithdrawRecord,
  name: WithdrawAction,
  move: Omit<WithdrawMove, 'from'>,
  approved?: Approved,
): Promise<void> {
  const from = openStates(name, approved !== undefined);
  if (!(await moveWithdraw(ctx.db, target.id, { ...move, from }))) throw await movedNow(ctx, target.id);
}

const moved = (target: WithdrawRow): Refused =>
  refuseMoved(withdrawStates[target.state as WithdrawState], {
    state: target.state,
    by: target.secondBy ?? target.by,
    at: target.updatedAt,
  });

async function movedNow(ctx: Ctx, id: number): Promise<Refused> {
  const target = await findWithdraw(ctx, id);
  return target ? moved(target) : refuse(refusals.notFound);
}

function decidedBy(ctx: Ctx, approved: Approved | undefined, move: Omit<WithdrawMove, 'from' | 'now'>) {
  return { ...move, by: approved?.maker ?? ctx.operator.account, secondBy: approved?.checker, now: ctx.now };
}

const given = (input: object): { reason?: string } => {
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

function subjectOf(target: WithdrawRecord): Subject {
  return { type: 'withdraw', id: target.id, userId: target.userId, account: target.account, agentId: target.agentId };
}

/** The wallet is told to pay what the customer receives; its own idempotency key is the number with the attempt. */
async function ordered(ctx: Ctx, target: WithdrawRecord): Promise<Done<WithdrawRow>> {
  const data = {
    no: target.no,
    attempt: target.attempt + 1,
    account: target.account,
    market: target.marketName,
    network: target.network,
    address: target.address,
    memo: target.memo,
    amount: target.received,
  };
  const payout = { type: 'withdraw.payout', refType: 'withdraw', refId: target.id, data, now: ctx.now } as const;
  return reviewed(ctx, target, [], [payout]);
}

async function givenBack(ctx: Ctx, target: WithdrawRecord, legs: readonly Leg[]): Promise<Done<WithdrawRow>> {
  const entries = await release(ctx.db, headOf(ctx, target), holdOwner(target), target.amount, legs);
  return reviewed(ctx, target, entries);
}

/** The platform hears of the decision, after what it is ordered to do, and of the balances that changed. */
async function reviewed(
  ctx: Ctx,
  target: WithdrawRecord,
  entries: readonly PostedEntry[],
  orders: readonly NewCommand[] = [],
): Promise<Done<WithdrawRow>> {
  const after = await findWithdraw(ctx, target.id);
  if (!after) throw refuse(refusals.notFound);
  const reason = after.reason === '' ? {} : { reason: after.reason };
  const data = { no: target.no, state: after.state, ...reason };
  const told = { type: 'withdraw.reviewed', refType: 'withdraw', refId: target.id, data, now: ctx.now } as const;
  await enqueue(ctx.db, ...orders, told);
  await enqueueBalanceChanges(ctx.db, entries, ctx.now);
  const { agentId: _agentId, payoutHeldUntil: _until, ...row } = after;
  return { data: row, subject: subjectOf(target), before: shown(target), after: shown(after) };
}

/** What the audit row keeps of a withdrawal: what a decision can change. */
const shown = (row: WithdrawRow) => ({
  state: row.state,
  reason: row.reason,
  by: row.by,
  secondBy: row.secondBy,
  txHash: row.txHash,
  attempt: row.attempt,
});
