import { withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import { type CoinLimits, loosensGroupDelete } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useLocked } from '../../../api/me.ts';

interface Props {
  group: UserGroup;
  coins: readonly CoinLimits[];
  onClose: () => void;
}

const CONSEQUENCE = '它的限额不再使用，版本保留；以往的提现仍显示这个用户组。';

/** Level 2: deletes a group without users. */
export function DeleteGroupDialog({ group, coins, onClose }: Props) {
  const needsChecker = useLocked() && loosensGroupDelete(group.id, coins);
  return (
    <ActionDialog
      call={withdrawLimit.groupDelete}
      input={{ id: group.id }}
      title={`删除用户组：${group.name}`}
      needsChecker={needsChecker}
      details={[{ label: '用户', value: `${group.members} 位` }]}
      consequence={needsChecker ? `${AFTER_APPROVAL}：${CONSEQUENCE}` : CONSEQUENCE}
      successText={`已删除用户组 ${group.name}`}
      onClose={onClose}
    />
  );
}
