import { PERMIT_MINUTES } from '@hengtai/contract/desk/approval/calls';
import { user, userPayout } from '@hengtai/contract/people/user/calls';
import { winTypeLabels } from '@hengtai/contract/people/user/facts';
import type { UserLink, UserRow } from '@hengtai/contract/people/user/schema';
import { Input, Radio } from 'antd';
import { type ComponentType, useId, useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { PasswordReset } from '../../../actions/PasswordReset.tsx';
import { RemarkDialog } from '../../../actions/RemarkDialog.tsx';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import type { Outcome } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { AgentDialog } from './AgentDialog.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { userDetails } from './user-details.tsx';
import { type UserAction, parsePayout } from './words.ts';

interface Props extends RecordDialogProps<UserRow> {
  onRemoved: (id: number) => void;
}

const dialogs: Readonly<Record<UserAction, ComponentType<Props>>> = {
  password: PasswordDialog,
  agent: AgentDialog,
  group: GroupDialog,
  tier: TierDialog,
  link: LinkDialog,
  remark: ({ row, onClose }) => <RemarkDialog call={user.remark} row={row} onClose={onClose} />,
  remove: RemoveDialog,
};

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function UserDialog({ action, ...props }: Props & { action: UserAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}

const PASSWORD_REASONS = ['用户忘记密码，已核实身份', '账号疑似被盗', '用户要求更换'] as const;

function PasswordDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  return (
    <PasswordReset
      call={user.pwdUpdate}
      id={row.id}
      account={row.account}
      details={userDetails(row)}
      consequence="原密码随即失效，用户需用新密码登录。密码变更会作为提现的风险提示保留一段时间。"
      reasons={PASSWORD_REASONS}
      receiver="用户"
      note={
        <LockedNote>
          需要复核时，提交后由复核员准许，再由您在 {PERMIT_MINUTES} 分钟内重置一次；新密码不会存入申请。
        </LockedNote>
      }
      onClose={onClose}
    />
  );
}

const LINK_REASONS = ['用户反馈页面异常', '核对用户看到的余额', '协助用户操作'] as const;

/** Level 2: creates a one-time, read-only link to the platform as this user sees it. */
function LinkDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  const [link, setLink] = useState<UserLink>();

  function onDone(outcome: Outcome<Partial<UserLink> | null>) {
    if (outcome.kind === 'submitted') return onClose();
    // The answer to a retry has no link: only the first one contains it.
    const { url, expire } = outcome.data ?? {};
    if (url !== undefined && expire !== undefined) return setLink({ url, expire });
    toast.warning('链接已经生成，但不能再次显示，请重新生成。');
    onClose();
  }

  if (link) {
    return (
      <OneTimeSecret
        title={`${row.account} 的客服链接`}
        what="链接"
        secret={link.url}
        expire={link.expire}
        note="只能打开一次，只能查看。关闭后不再显示；生成与使用均记入审计日志。"
        onClose={onClose}
      />
    );
  }
  return (
    <ActionDialog
      call={user.token}
      input={{ id: row.id }}
      successText={() => undefined}
      title="客服链接"
      verb="生成链接"
      details={userDetails(row)}
      consequence="生成一个 5 分钟内有效、只能打开一次的只读链接，以该用户的视角查看平台网站；不能下单、划转或提现。"
      reason={{ required: true, chips: LINK_REASONS }}
      onDone={onDone}
      onClose={onClose}
    >
      <LockedNote>提交后由复核员准许，再由您在 {PERMIT_MINUTES} 分钟内生成一次链接。</LockedNote>
    </ActionDialog>
  );
}

const TIER_REASONS = ['活动约定', 'VIP 等级调整', '恢复标准'] as const;

/** Level 2: sets the payout tier for new binary contracts of this user. A policy may require a checker. */
function TierDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  const id = useId();
  const [winType, setWinType] = useState<0 | 1>(row.winType);
  const [text, setText] = useState(row.winRate ?? '');
  const percent = winType === 1 ? parsePayout(text) : undefined;
  const next = { winType, winRate: percent ?? null };
  const isSame = winType === row.winType && (winType === 0 || percent === parsePayout(row.winRate ?? ''));

  return (
    <ActionDialog
      call={user.second}
      input={{ id: row.id, winType, ...(percent !== undefined && { winRate: percent }) }}
      title="收益率档位"
      verb="更改档位"
      details={[...userDetails(row), { label: '当前档位', value: userPayout(row) }]}
      consequence={
        <>
          {winType === 0
            ? '此后新开的秒合约按秒合约设置中的收益率赔付。'
            : `此后新开的秒合约${percent === undefined ? '' : `盈利时按本金的 ${percent}% `}赔付，不再使用秒合约设置中的收益率。`}
          档位只决定盈利时赔付多少，从不决定盈亏：盈亏只看到期后的第一个行情。已开的合约不变。
        </>
      }
      blocked={
        winType === 1 && percent === undefined
          ? text.trim() === ''
            ? '请输入收益率'
            : '收益率为 1–100'
          : isSame
            ? `已是「${userPayout(next)}」`
            : undefined
      }
      reason={{ chips: TIER_REASONS }}
      onClose={onClose}
    >
      <div className="ht-user-tier">
        <Radio.Group
          aria-label="收益率档位"
          value={winType}
          onChange={(event) => setWinType(event.target.value === 1 ? 1 : 0)}
          options={[
            { value: 0, label: winTypeLabels[0] },
            { value: 1, label: winTypeLabels[1] },
          ]}
        />
        {winType === 1 && (
          <div className="ht-dialog-field-row">
            <label htmlFor={id}>收益率</label>
            <Input
              id={id}
              className="ht-user-percent"
              value={text}
              suffix="%"
              inputMode="decimal"
              autoComplete="off"
              maxLength={22}
              onChange={(event) => setText(event.target.value)}
            />
            <span className="ht-value-faint">1–100，例如 85 表示盈利时赔付本金的 85%</span>
          </div>
        )}
      </div>
    </ActionDialog>
  );
}
