import { agent } from '@hengtai/contract/people/agent/calls';
import { useAction } from '../../../api/hooks.ts';
import { NewAccountDialog } from './exported/NewAccountDialog.tsx';

interface Props {
  /** Account of the parent agent; the signed-in operator if absent. */
  parent?: string;
  onClose: () => void;
}

export function AddAgentDialog({ parent, onClose }: Props) {
  const { submit, pending } = useAction(agent.add);
  return (
    <NewAccountDialog
      noun="代理"
      above="上级代理"
      agent={parent}
      note="请现在复制并通过可靠的方式交给该代理，关闭后不再显示。新代理只能登录和查看，权限在详情中逐项授予。"
      pending={pending}
      submit={({ agent: parentAccount, ...values }, key) => submit({ ...values, parentAccount }, key)}
      onClose={onClose}
    />
  );
}
