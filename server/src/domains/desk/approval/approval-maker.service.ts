import { approval as calls } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { approvalStates, APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { ActionInput } from '@hengtai/contract/wire/schema';
import { reasonOf } from '../../../actions/action-audit.ts';
import { type RegisteredAction, defineAction } from '../../../actions/action.ts';
import { type ApprovalRecord, findApproval } from '../../../actions/approval.store.ts';
import { authorize } from '../../../authority/authority.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, refuseField, refuseState, requireFound } from '../../../app/refuse.ts';
import { closeRequest } from './approval.service.ts';
import type { ActionRegistry } from './execution.steps.ts';

/** @throws Refused 403 for a request of another maker */
function requireOwn({ operator }: Pick<Ctx, 'operator'>, { makerId }: ApprovalRecord): void {
  if (makerId !== operator.id) throw refuse(refusals.forbidden);
}

/** The maker takes an open request back, and its target returns to its state of before. */
export const approvalCancel = (registry: ActionRegistry) =>
  defineAction<ActionInput, ApprovalRow, ApprovalRecord>({
    call: calls.cancel,
    load: (ctx, { id }) => findApproval(ctx, id),
    check: requireOwn,
    execute: (ctx, input, record) =>
      closeRequest(ctx, registry, record, { state: APPROVAL.cancelled, checkerId: null, answer: reasonOf(input) }),
  });

/**
 * Makes a closed request of a save again, for the records as they are now. It is the requested call in every respect: it may
 * need no checker any more.
 */
export function approvalResubmit(registry: ActionRegistry): RegisteredAction<ActionInput, ApprovalRow> {
  const action = defineAction<ActionInput, ApprovalRow, ApprovalRecord>({
    call: calls.resubmit,
    execute: () => {
      throw new Error('The requested action is performed instead.');
    },
  });
  return {
    ...action,
    perform: async (ctx, { id }) => {
      const record = requireFound(await findApproval(ctx, id));
      requireOwn(ctx, record);
      if (!calls.resubmit.from.some((state) => state === record.state)) throw refuseState(approvalStates, record);
      const requested = registry.get(record.type);
      if (!requested || record.result === null) throw refuseField('id', '：该申请不能再次提交，请重新操作');
      authorize(ctx, requested.call);
      // Safe cast: the input was validated at the first request.
      return requested.performAgain(ctx, record.input as never);
    },
  };
}
