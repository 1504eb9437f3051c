import { approval } from '@hengtai/contract/desk/approval/calls';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import { newKey, useAction } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';

/** What the maker can do with its request: take it back, or make it again once it has ended without being executed. */
export function MakerActions({ detail: { row, result } }: { detail: Pick<ApprovalDetail, 'row' | 'result'> }) {
  const { id, state, title } = row;
  const cancel = useAction(approval.cancel);
  const resubmit = useAction(approval.resubmit);
  if (state === APPROVAL.open)
    return (
      <ConfirmableAction
        disabledReason={undefined}
        question={`撤回申请 #${id}「${title}」？`}
        onYes={() => runWithErrorToast(() => cancel.submit({ id }, newKey()), `已撤回申请 #${id}`)}
      >
        撤回申请
      </ConfirmableAction>
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
