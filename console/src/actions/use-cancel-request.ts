import { approval } from '@hengtai/contract/desk/approval/calls';
import { newKey, useAction } from '../api/hooks.ts';
import { runWithErrorToast } from '../api/run-with-toast.ts';
import { ask } from '../ui/dialog/question.ts';

/** Level 1: asks whether the operator takes its request back, and does so. */
export function useCancelRequest(): (id: number) => void {
  const { submit } = useAction(approval.cancel);
  return (id) =>
    ask({
      title: `撤回申请 #${id}？`,
      content: '申请的操作不会执行，对象回到提交前的状态。',
      verb: '撤回申请',
      back: '返回',
      onConfirm: () => void runWithErrorToast(() => submit({ id }, newKey()), `已撤回申请 #${id}`),
    });
}
