import { session } from '@hengtai/contract/house/session/calls';
import type { SessionRow } from '@hengtai/contract/house/session/schema';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { Time } from '../../../ui/value/Time.tsx';
import { browserOf } from '../../../ui/browser/browser.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const REASONS = ['登录地点异常', '人员已离岗', '设备遗失'] as const;

/** Level 2: ends one session of an operator. */
export function KickDialog({ row, onClose }: RecordDialogProps<SessionRow>) {
  return (
    <ActionDialog
      call={session.kick}
      input={{ id: row.id }}
      danger
      details={[
        { label: '账号', value: row.account },
        { label: '登录 IP', value: row.ip },
        { label: '浏览器', value: browserOf(row.userAgent) },
        { label: '登录时间', value: <Time value={row.createdAt} /> },
        { label: '最近活动', value: <Time value={row.lastSeenAt} /> },
      ]}
      consequence="该会话立即失效，打开的页面随即回到登录页；尚未提交的内容会丢失。账号本身不受影响，可以重新登录。"
      reason={{ chips: REASONS }}
      onClose={onClose}
    />
  );
}
