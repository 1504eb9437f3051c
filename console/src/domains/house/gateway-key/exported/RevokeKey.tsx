import { gatewayKey } from '@hengtai/contract/house/gateway-key/calls';
import { newKey, useAction } from '../../../../api/hooks.ts';
import { useMe } from '../../../../api/me.ts';
import { runWithErrorToast } from '../../../../api/run-with-toast.ts';
import { ConfirmableAction } from '../../../../ui/dialog/ConfirmableAction.tsx';

interface Props {
  id: number;
  name: string;
  /** Text of the button. */
  verb: string;
}

/** The button that revokes a key of the gateway, for the top-level admin. */
export function RevokeKey({ id, name, verb }: Props) {
  const { top } = useMe();
  const revoke = useAction(gatewayKey.revoke);
  return (
    <ConfirmableAction
      disabledReason={top ? undefined : '仅顶级管理员可吊销网关密钥'}
      question={`吊销密钥「${name}」？立即失效，不能恢复`}
      onYes={() => runWithErrorToast(() => revoke.submit({ id }, newKey()), '密钥已吊销')}
    >
      {verb}
    </ConfirmableAction>
  );
}
