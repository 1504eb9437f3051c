import { PERMIT_MINUTES } from '@hengtai/contract/approval';
import { user } from '@hengtai/contract/user';
import type { UserLink, UserRow } from '@hengtai/contract/user.schema';
import { useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { settle } from '../../api/display-error.ts';
import { LockedNote } from '../../actions/LockedNote.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { OneTimeSecret } from '../../ui/OneTimeSecret.tsx';
import type { DisplayError } from '../../ui/display-error.ts';
import { userDetails } from './user-details.tsx';

interface Props {
  row: UserRow;
  onClose: () => void;
}

const REASONS = ['用户反馈页面异常', '核对用户看到的余额', '协助用户操作'] as const;
/** Shown after a retry: only the first answer contains the link. */
const NOT_AGAIN: DisplayError = { kind: 'conflict', msg: '链接已经生成，但不能再次显示。请关闭后重新生成。' };

/** Level 2: creates a one-time, read-only link to the platform as this user sees it. */
export function LinkDialog({ row, onClose }: Props) {
  const { submit } = useAction(user.token);
  const [link, setLink] = useState<UserLink>();

  async function run(reason: string, key: string): Promise<DisplayError | undefined> {
    let created: Partial<UserLink> | null = null;
    let submitted = false;
    const error = await settle(async () => {
      const outcome = await submit({ id: row.id, reason }, key);
      if (outcome.kind === 'done') created = outcome.data;
      else submitted = true;
    });
    if (error) return error;
    if (submitted) {
      onClose();
      return undefined;
    }
    const { url, expire } = created ?? ({} as Partial<UserLink>);
    if (url === undefined || expire === undefined) return NOT_AGAIN;
    setLink({ url, expire });
    return undefined;
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
    <ConfirmDialog
      title="客服链接"
      verb="生成链接"
      details={userDetails(row)}
      consequence="生成一个 5 分钟内有效、只能打开一次的只读链接，以该用户的视角查看平台网站；不能下单、划转或提现。"
      reason={{ required: true, chips: REASONS }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <LockedNote>提交后由复核员准许，再由您在 {PERMIT_MINUTES} 分钟内生成一次链接。</LockedNote>
    </ConfirmDialog>
  );
}
