import { useState } from 'react';
import { RESET_LINK_HOURS } from '@hengtai/contract/desk/approval/calls';
import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { generatePassword } from '../../../ui/form/generate-password.ts';
import { agentDetails } from './agent-details.tsx';
import { useIsGuarded } from './use-is-guarded.ts';
import { PasswordReset } from '../../../actions/PasswordReset.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const REASONS = ['代理忘记密码，已核实身份', '账号疑似被盗', '首次开通登录'] as const;

export const PasswordDialog = (props: RecordDialogProps<AgentRow>) =>
  useIsGuarded(props.row) ? <ResetRequest {...props} /> : <DirectReset {...props} />;

/** Requests a one-time link for the agent, which the checker hands over. The maker never knows the password. */
function ResetRequest({ row, onClose }: RecordDialogProps<AgentRow>) {
  // The call requires a password. The server discards it and stores none in the approval.
  const [password] = useState(generatePassword);

  return (
    <ActionDialog
      call={agent.pwdUpdate}
      input={{ id: row.id, password }}
      title="重置密码"
      verb={SUBMIT}
      danger
      details={agentDetails(row)}
      consequence={`复核通过时，复核员得到一个 ${RESET_LINK_HOURS} 小时内有效的一次性链接，由复核员交给该代理本人，本人用它设置新密码。提交人不会得到链接，也不会知道密码。`}
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      <LockedNote>该代理持有关键权限，重置密码由另一位复核员确认。</LockedNote>
    </ActionDialog>
  );
}

function DirectReset({ row, onClose }: RecordDialogProps<AgentRow>) {
  return (
    <PasswordReset
      call={agent.pwdUpdate}
      id={row.id}
      account={row.account}
      details={agentDetails(row)}
      consequence="原密码随即失效，该代理的会话立即结束，需用新密码登录。"
      reasons={REASONS}
      receiver="该代理"
      onClose={onClose}
    />
  );
}
