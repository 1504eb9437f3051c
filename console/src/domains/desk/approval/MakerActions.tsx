import { approval } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import { useCancelRequest } from '../../../actions/use-cancel-request.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';

/** What the maker can do with its request: take it back, or make it again once it has ended without being executed. */
export function MakerActions({ detail: { row, result } }: { detail: Pick<ApprovalDetail, 'row' | 'result'> }) {
  const { id, state } = row;
  const cancel = useCancelRequest();
  const resubmit = useAction(approval.resubmit);
  if (state === APPROVAL.open)
    return (
      <GreyedAction disabledReason={undefined} onClick={() => cancel(id)}>
        撤回申请
      </GreyedAction>
    );
  if (result === null || !approval.resubmit.from.some((from) => from === state)) return null;
  return (
    <GreyedAction
      disabledReason={resubmit.pending ? '正在提交' : undefined}
      onClick={() => void runWithErrorToast(() => resubmit.submit({ id }, newKey()))}
    >
      再次提交
    </GreyedAction>
  );
}
