import { withdrawLimit } from '@hengtai/contract/withdraw-limit';
import type { UserGroup } from '@hengtai/contract/withdraw-limit.schema';
import { ActionDialog } from '../../actions/ActionDialog.tsx';
import { STALE } from './stale.ts';

/** Level 2: deletes a group without users. */
export const DeleteGroupDialog = ({ group, onClose }: { group: UserGroup; onClose: () => void }) => (
  <ActionDialog
    call={withdrawLimit.groupDelete}
    input={{ id: group.id }}
    invalidate={STALE}
    title={`删除用户组：${group.name}`}
    details={[{ label: '用户', value: `${group.members} 位` }]}
    consequence="它的限额不再使用，版本保留；以往的提现仍显示这个用户组。"
    successText={`已删除用户组 ${group.name}`}
    onClose={onClose}
  />
);
