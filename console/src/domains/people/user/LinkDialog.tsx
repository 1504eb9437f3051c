import { PERMIT_MINUTES } from '@hengtai/contract/desk/approval/calls';
import { user } from '@hengtai/contract/people/user/calls';
import type { UserLink, UserRow } from '@hengtai/contract/people/user/schema';
import { useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import type { Outcome } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { userDetails } from './user-details.tsx';

const REASONS = ['用户反馈页面异常', '核对用户看到的余额', '协助用户操作'] as const;

/** Level 2: creates a one-time, read-only link to the platform as this user sees it. */
export function LinkDialog({ row, onClose }: RecordDialogProps<UserRow>) {
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
      reason={{ required: true, chips: REASONS }}
      onDone={onDone}
      onClose={onClose}
    >
      <LockedNote>提交后由复核员准许，再由您在 {PERMIT_MINUTES} 分钟内生成一次链接。</LockedNote>
    </ActionDialog>
  );
}
