import { withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import { type CoinLimits, loosensGroup, loosensGroupDelete } from '@hengtai/contract/risk/withdraw-limit/compare';
import type { UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { Checkbox, Input } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { FormField } from '../../../ui/form/FormPart.tsx';

interface Props {
  /** The group to change; a new one without it. */
  group?: UserGroup;
  coins: readonly CoinLimits[];
  onClose: () => void;
}

const NAME_MAX = 32;

/** Level 2: adds a group, or changes its name and who may put users into it. */
export function GroupDialog({ group, coins, onClose }: Props) {
  const [name, setName] = useState(group?.name ?? '');
  const [forAgents, setForAgents] = useState(group?.forAgents ?? false);
  const isLocked = useFourEyesLocked();
  const needsChecker = isLocked && loosensGroup(group ?? null, { name: name.trim(), forAgents }, coins);
  const consequence = forAgents
    ? '总部和有「用户管理」权限的代理操作员可以把用户放入或移出。'
    : '只有总部的操作员可以把用户放入或移出，代理不能。';
  return (
    <ActionDialog
      call={withdrawLimit.groupSave}
      input={{ ...(group && { id: group.id }), name: name.trim(), forAgents }}
      title={group ? `修改用户组：${group.name}` : '新增用户组'}
      verb="保存用户组"
      needsChecker={needsChecker}
      details={group ? [{ label: '用户', value: `${group.members} 位` }] : []}
      consequence={needsChecker ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      blocked={name.trim() === '' ? '请输入名称' : undefined}
      successText={`已保存用户组 ${name.trim()}`}
      onClose={onClose}
    >
      <FormField label="名称">
        {(id) => (
          <Input
            id={id}
            autoComplete="off"
            maxLength={NAME_MAX}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </FormField>
      <Checkbox checked={forAgents} onChange={({ target }) => setForAgents(target.checked)}>
        代理的操作员也可以调整组内用户
      </Checkbox>
    </ActionDialog>
  );
}

interface DeleteProps {
  group: UserGroup;
  coins: readonly CoinLimits[];
  onClose: () => void;
}

const CONSEQUENCE = '它的限额不再使用，版本保留；以往的提现仍显示这个用户组。';

/** Level 2: deletes a group without users. */
export function DeleteGroupDialog({ group, coins, onClose }: DeleteProps) {
  const needsChecker = useFourEyesLocked() && loosensGroupDelete(group.id, coins);
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
