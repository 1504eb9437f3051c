import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { announce } from '@hengtai/contract/desk/announce/calls';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { announceDetails } from './details.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  row: AnnounceRow;
  onClose: () => void;
  onDone: () => void;
}

/** Level 2: deletes an announcement here and on the platform. The audit log keeps its text. */
export function DeleteDialog({ row, onClose, onDone }: Props) {
  return (
    <ActionDialog
      call={announce.del}
      input={{ id: row.id }}
      onDone={onDone}
      danger
      details={announceDetails(row)}
      consequence={`${row.state === ANNOUNCE.published ? '平台将立即撤下这条公告。' : ''}删除后不能恢复，内容只保留在审计日志中。`}
      reason={{ chips: ['内容有误', '已过期'] }}
      onClose={onClose}
    />
  );
}
