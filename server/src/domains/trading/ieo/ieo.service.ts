import { reasonFields } from '@hengtai/contract/wire/reason-code';
import type { ActionInput } from '@hengtai/contract/wire/schema';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { type IeoAction, type IeoState, ieo as calls, ieoActionStates } from '@hengtai/contract/trading/ieo/calls';
import { ieoStates, IEO } from '@hengtai/contract/trading/ieo/facts';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import { pick } from '../../../app/pick.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { type Action, type ApprovedRequest, type ActionResult, defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { valueInUsdt } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, codeItem, textItem } from '../../../actions/preview.ts';
import { release } from '../../../books/ledger/hold.ts';
import type { Leg, PostedEntry } from '../../../books/ledger/post.ts';
import { requireFound, refuseState } from '../../../app/refuse.ts';
import { enqueueBalanceChanges } from '../../../gateway/balance-command.store.ts';
import { holdOwner, passedLegs, refundLegs } from './ieo.rules.ts';
import { type IeoRecord, decideIeo, findIeo } from './ieo.store.ts';

const subjectOf = recordSubject('ieo');

/** Passes a subscription: the user gets the tokens, the house the hold. */
export const ieoPass = review<ActionInput>('pass', calls.pass, { to: IEO.passed, legs: passedLegs });

/** Rejects a subscription: the hold returns to the user. */
export const ieoReject = review<ActionInput>('reject', calls.reject, { to: IEO.rejected, legs: refundLegs });

interface ReviewSpec {
  to: Exclude<IeoState, 0>;
  /** Builds the legs, which must use the full hold. */
  legs: (ieo: IeoRecord) => Leg[];
}

function review<I extends ActionInput>(
  name: IeoAction,
  call: Action<I, IeoRow, IeoRecord>['call'],
  { to, legs }: ReviewSpec,
) {
  return defineAction<I, IeoRow, IeoRecord>({
    call,
    load: (ctx, { id }) => findIeo(ctx, id),
    check: (_ctx, target) => {
      if (!isOpen(name, target)) throw refuseState(ieoStates, target);
    },
    policy: {
      subject: subjectOf,
      amount: ({ pay }) => valueInUsdt(pay),
      preview: (ctx, { id }) => preview(ctx, name, id, legs),
    },
    execute: async (ctx, input, target, approved) => {
      const approvalTarget = { type: 'ieo', id: target.id };
      const reason = reasonOf(input);
      await lockApprovals(ctx.db, approvalTarget);
      const decision = { from: ieoActionStates[name], to, reason, ...decidedBy(ctx, approved) };
      if (!(await decideIeo(ctx, target.id, decision)))
        throw refuseState(ieoStates, requireFound(await findIeo(ctx, target.id)));
      // Open approvals about it are obsolete now.
      const answer = reason === '' ? ieoStates[to] : reason;
      await closeApprovals(ctx.db, approvalTarget, { state: APPROVAL.expired, answer, now: ctx.now });
      const head = { refType: 'ieo', refId: target.id, at: ctx.now, now: ctx.now, operatorId: ctx.operator.id };
      return finishAndNotify(ctx, target, await release(ctx.db, head, holdOwner(target), target.pay, legs(target)));
    },
  });
}

const isOpen = (name: IeoAction, { state }: IeoRow): boolean => ieoActionStates[name].some((open) => open === state);

const decidedBy = ({ operator }: Ctx, approved: ApprovedRequest | undefined) => ({
  by: approved?.maker ?? operator.account,
  secondBy: approved?.checker,
});

/** Enqueues the decision and the changed balances for the platform and builds the answer. */
async function finishAndNotify(
  ctx: Ctx,
  target: IeoRecord,
  entries: readonly PostedEntry[],
): Promise<ActionResult<IeoRow>> {
  const after = requireFound(await findIeo(ctx, target.id));
  const { no, state, reason } = after;
  const data = { no, state, ...reasonFields(reason) };
  await enqueue(ctx.db, { type: 'ieo.reviewed', refType: 'ieo', refId: target.id, data, now: ctx.now });
  await enqueueBalanceChanges(ctx.db, entries, ctx.now);
  return { data: rowOf(after), subject: subjectOf(target), before: auditFields(target), after: auditFields(after) };
}

export const rowOf = ({ agentId: _agentId, payMarketId: _payMarketId, ...row }: IeoRecord): IeoRow => row;

/** The fields of the audit row: those that a decision changes, and the amounts. */
const auditFields = pick('state', 'reason', 'by', 'secondBy', 'marketName', 'amount', 'pay');

/** The preview for the checker. */
async function preview(ctx: Ctx, name: IeoAction, id: number, legs: ReviewSpec['legs']): Promise<Preview> {
  const row = requireFound(await findIeo(ctx, id));
  return {
    input: [
      textItem('认购', `#${row.id}`),
      codeItem('平台单号', row.no),
      textItem('用户', `${row.account}（${row.userId}）`),
    ],
    now: [
      textItem('认购状态', ieoStates[row.state as IeoState]),
      amountItem('认购数量', row.amount, row.marketName),
      amountItem('认购价', row.price, 'USDT'),
      amountItem('支付', row.pay, 'USDT'),
    ],
    legs: legs(row),
    problem: isOpen(name, row) ? null : refuseState(ieoStates, row).message,
  };
}
