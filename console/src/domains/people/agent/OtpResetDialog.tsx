import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { agentDetails } from './agent-details.tsx';
import { useIsGuarded } from './use-is-guarded.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const REASONS = ['手机遗失', '更换设备', '恢复码遗失', '安全密钥遗失'] as const;

/** Level 2: removes the codes and passkeys of an agent who lost them. Until new ones are set up, the password is enough. */
export function OtpResetDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
  const isGuarded = useIsGuarded(row);

  return (
    <ActionDialog
      call={agent.otpReset}
      input={{ id: row.id }}
      title="重置第二因素"
      verb={isGuarded ? SUBMIT : '重置第二因素'}
      danger
      details={agentDetails(row)}
      consequence="该代理的验证码、恢复码与通行密钥立即失效，会话结束；在重新设置之前，凭密码即可登录。请先确认是本人提出。"
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后才重置。</LockedNote>}
    </ActionDialog>
  );
}
