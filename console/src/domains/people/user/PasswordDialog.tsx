import { PERMIT_MINUTES } from '@hengtai/contract/desk/approval/calls';
import { user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { PasswordReset } from '../../../actions/PasswordReset.tsx';
import { userDetails } from './user-details.tsx';

const REASONS = ['用户忘记密码，已核实身份', '账号疑似被盗', '用户要求更换'] as const;

export function PasswordDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  return (
    <PasswordReset
      call={user.pwdUpdate}
      id={row.id}
      account={row.account}
      details={userDetails(row)}
      consequence="原密码随即失效，用户需用新密码登录。密码变更会作为提现的风险提示保留一段时间。"
      reasons={REASONS}
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
