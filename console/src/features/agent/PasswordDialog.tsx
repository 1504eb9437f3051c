import { RESET_LINK_HOURS } from '@hengtai/contract/approval';
import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { SUBMIT, LockedNote } from '../../actions/LockedNote.tsx';
import { PasswordReset } from '../../actions/PasswordReset.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { generatePassword } from '../../ui/generate-password.ts';
import { agentDetails } from './agent-details.tsx';
import { STALE } from './actions.ts';
import { useIsGuarded } from './use-is-guarded.ts';

interface Props {
  row: AgentRow;
  onClose: () => void;
}

const REASONS = ['代理忘记密码，已核实身份', '账号疑似被盗', '首次开通登录'] as const;

export const PasswordDialog = (props: Props) =>
  useIsGuarded(props.row) ? <ResetRequest {...props} /> : <DirectReset {...props} />;

/** Requests a one-time link for the agent, which the checker hands over. The maker never knows the password. */
function ResetRequest({ row, onClose }: Props) {
  const { submit } = useAction(agent.pwdUpdate, { invalidate: STALE });

  async function run(reason: string, key: string) {
    // The call requires a password. The server discards it and stores none in the approval.
    const error = await runWithToast(() =>
      submit(withReason({ id: row.id, password: generatePassword() }, reason), key),
    );
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title="重置密码"
      verb={SUBMIT}
      danger
      details={agentDetails(row)}
      consequence={`复核通过时，复核员得到一个 ${RESET_LINK_HOURS} 小时内有效的一次性链接，由复核员交给该代理本人，本人用它设置新密码。提交人不会得到链接，也不会知道密码。`}
      reason={{ required: false, chips: REASONS }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <LockedNote>该代理持有关键权限，重置密码由另一位复核员确认。</LockedNote>
    </ConfirmDialog>
  );
}

function DirectReset({ row, onClose }: Props) {
  const { submit } = useAction(agent.pwdUpdate, { invalidate: STALE });
  return (
    <PasswordReset
      account={row.account}
      details={agentDetails(row)}
      consequence="原密码随即失效，该代理的会话立即结束，需用新密码登录。"
      reasons={REASONS}
      receiver="该代理"
      submit={(password, reason, key) => submit(withReason({ id: row.id, password }, reason), key)}
      onClose={onClose}
    />
  );
}
