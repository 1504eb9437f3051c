import { user } from '@hengtai/contract/people/user/calls';
import { useAction } from '../../../api/hooks.ts';
import { NewAccountDialog } from '../agent/exported/NewAccountDialog.tsx';

export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const { submit, pending } = useAction(user.add);
  return (
    <NewAccountDialog
      noun="用户"
      above="所属代理"
      note="请现在复制并通过可靠的方式交给用户，关闭后不再显示。"
      pending={pending}
      submit={submit}
      onClose={onClose}
    />
  );
}
