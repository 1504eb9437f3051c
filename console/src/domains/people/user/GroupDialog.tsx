import type { UserRow } from '@hengtai/contract/people/user/schema';
import { withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { BulkDialog } from '../../../actions/BulkDialog.tsx';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import type { BulkLine } from '../../../ui/dialog/BulkResults.tsx';
import { GroupPicker, NO_GROUP } from '../../risk/withdraw-limit/exported/GroupPicker.tsx';
import { userDetails } from './user-details.tsx';

const CONSEQUENCE =
  '此后申请的提现按新用户组的限额和手续费判断，已申请的不变。四眼锁定时，放宽限额或改变手续费须另一位复核员确认。';

const groupIdOf = (chosen: number | undefined) => (chosen === undefined || chosen === NO_GROUP ? null : chosen);
const blockedOf = (chosen: number | undefined) => (chosen === undefined ? '请选择用户组' : undefined);

/** Level 2: puts a user into a group for limits of withdrawals, or takes it out. */
export function GroupDialog({ row, onClose }: RecordDialogProps<UserRow>) {
  const [groupId, setGroupId] = useState<number>();
  return (
    <ActionDialog
      call={withdrawLimit.assign}
      input={{ id: row.id, groupId: groupIdOf(groupId) }}
      title="调整用户组"
      verb="调整用户组"
      details={[...userDetails(row), { label: '当前用户组', value: row.userGroup ?? '无' }]}
      consequence={CONSEQUENCE}
      blocked={blockedOf(groupId)}
      onClose={onClose}
    >
      <GroupPicker value={groupId} onChange={setGroupId} />
    </ActionDialog>
  );
}

interface BulkProps {
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Level 3: as `GroupDialog` for several users, each with its own result. */
export function GroupBulkDialog({ rows, onClose, onDone }: BulkProps) {
  const [groupId, setGroupId] = useState<number>();
  return (
    <BulkDialog
      call={withdrawLimit.assignMany}
      input={{ groupId: groupIdOf(groupId) }}
      rows={rows}
      unit="位"
      title="批量调整用户组"
      verb="调整用户组"
      confirmText={`调整 ${rows.length} 位的用户组`}
      details={[{ label: '用户', value: `${rows.length} 位` }]}
      consequence={CONSEQUENCE}
      blocked={blockedOf(groupId)}
      onClose={onClose}
      onDone={onDone}
    >
      <GroupPicker value={groupId} onChange={setGroupId} />
    </BulkDialog>
  );
}
