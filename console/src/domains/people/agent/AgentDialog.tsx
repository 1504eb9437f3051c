import { RESET_LINK_HOURS } from '@hengtai/contract/desk/approval/calls';
import { AGENT_ENABLED, agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { Input } from 'antd';
import { type ComponentType, useId, useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { PasswordReset } from '../../../actions/PasswordReset.tsx';
import { RemarkDialog } from '../../../actions/RemarkDialog.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { generatePassword } from '../../../ui/form/generate-password.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { agentDetails } from './agent-details.tsx';
import { useIsGuarded } from './use-is-guarded.ts';
import type { AgentAction } from './words.ts';

interface Props extends RecordDialogProps<AgentRow> {
  onRemoved: (id: number) => void;
}

const dialogs: Readonly<Record<AgentAction, ComponentType<Props>>> = {
  password: PasswordDialog,
  otp: OtpResetDialog,
  oidc: OidcDialog,
  remark: ({ row, onClose }) => <RemarkDialog call={agent.remark} row={row} onClose={onClose} />,
  parent: MoveDialog,
  state: StateDialog,
  remove: RemoveDialog,
};

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function AgentDialog({ action, ...props }: Props & { action: AgentAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}

const PASSWORD_REASONS = ['代理忘记密码，已核实身份', '账号疑似被盗', '首次开通登录'] as const;

function PasswordDialog(props: RecordDialogProps<AgentRow>) {
  return useIsGuarded(props.row) ? <ResetRequest {...props} /> : <DirectReset {...props} />;
}

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
      reason={{ chips: PASSWORD_REASONS }}
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
      reasons={PASSWORD_REASONS}
      receiver="该代理"
      onClose={onClose}
    />
  );
}

const OTP_REASONS = ['手机遗失', '更换设备', '恢复码遗失', '安全密钥遗失'] as const;

/** Level 2: removes the codes and passkeys of an agent who lost them. Until new ones are set up, the password is enough. */
function OtpResetDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
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
      reason={{ chips: OTP_REASONS }}
      onClose={onClose}
    >
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后才重置。</LockedNote>}
    </ActionDialog>
  );
}

const OIDC_REASONS = ['入职开通', '企业账号更换', '离职或停用'] as const;
const LENGTH_MAX = 255;

/** Level 2: links an agent to its account at the identity provider. An empty field removes the link. */
function OidcDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
  const fieldId = useId();
  const isGuarded = useIsGuarded(row);
  const query = useRead(agent.detail, { id: row.id });
  const { data } = query;
  const current = data?.oidc?.subject ?? '';
  const [typed, setTyped] = useState<string>();
  const subject = (typed ?? current).trim();
  const verb = subject === '' ? '解除关联' : '关联';

  return (
    <ActionDialog
      call={agent.oidcLink}
      input={{ id: row.id, subject: subject === '' ? null : subject }}
      title="关联企业账号"
      verb={isGuarded ? SUBMIT : verb}
      danger
      details={agentDetails(row)}
      query={query}
      consequence={
        subject === ''
          ? '该代理不能再用企业登录，会话结束；密码与第二因素不变。'
          : '持有此企业账号的人可以作为该代理登录，启用了第二因素的仍须给出；该代理的会话结束。'
      }
      blocked={findProblem(subject, current)}
      reason={{ chips: OIDC_REASONS }}
      onClose={onClose}
    >
      <div className="ht-dialog-field">
        <label htmlFor={fieldId}>企业账号标识（sub）</label>
        <Input
          id={fieldId}
          value={typed ?? current}
          maxLength={LENGTH_MAX}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        <p>本人先用企业登录尝试一次，标识即记入审计日志的登录记录；请核对是本人后填写。清空为解除关联。</p>
      </div>
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后生效。</LockedNote>}
    </ActionDialog>
  );
}

function findProblem(subject: string, current: string): string | undefined {
  if (subject === current) return '关联没有变化';
  return /^[\x21-\x7e]*$/.test(subject) ? undefined : '标识只含字母、数字与符号';
}

const DISABLE_REASONS = ['代理离职', '账号存在风险', '暂停合作'] as const;

/** Level 2: enables or disables the login of an agent. Agents below it keep theirs; the dialog shows how many. */
function StateDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
  // Fixed while the dialog is open: a refresh of the list must not reverse the action.
  const [to] = useState<0 | 1>(row.state === 1 ? 0 : 1);
  const query = useRead(agent.detail, { id: row.id }, { staleTime: 0 });
  const { data } = query;
  const isDisabling = to === 0;
  const isGuarded = useIsGuarded(row) && !isDisabling;
  const workingBelow = data?.workingBelow ?? 0;

  return (
    <ActionDialog
      call={agent.state}
      input={{ id: row.id, type: AGENT_ENABLED, state: to }}
      title={isDisabling ? '停用代理' : '启用代理'}
      verb={isDisabling ? '停用' : isGuarded ? SUBMIT : '启用'}
      danger={isDisabling}
      details={[
        ...agentDetails(row),
        { label: '在线', value: data ? `${data.sessions} 个会话` : '--' },
        { label: '下级', value: data ? `${workingBelow.toLocaleString('en-US')} 个代理仍可登录` : '--' },
      ]}
      consequence={
        isDisabling
          ? `该代理的会话立即结束，不能再登录，由其提交的待复核申请将无法执行。只停用这一个账号：${
              workingBelow > 0
                ? `下级仍有 ${workingBelow.toLocaleString('en-US')} 个代理可以登录和操作，需要时请逐个停用；`
                : ''
            }用户不受影响。`
          : '该代理可以重新登录，权限与停用前相同。'
      }
      query={query}
      reason={{ chips: isDisabling ? DISABLE_REASONS : [] }}
      onClose={onClose}
    >
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后才启用。</LockedNote>}
    </ActionDialog>
  );
}
