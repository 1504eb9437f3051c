import { withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import { Select } from 'antd';
import { useId } from 'react';
import { useRead } from '../../../../api/hooks.ts';
import { useHasFullScope } from '../../../../api/me.ts';
import { QueryPlace } from '../../../../api/QueryPlace.tsx';

/** The value of the option that takes the users out of their groups. */
export const NO_GROUP = 0;

interface Props {
  /** Id of the group, or `NO_GROUP`; undefined before one is chosen. */
  value: number | undefined;
  onChange: (groupId: number, name: string) => void;
}

/** Chooses a group of users, or none. Groups that only headquarters may use are greyed for others. */
export function GroupPicker({ value, onChange }: Props) {
  const id = useId();
  const isHouse = useHasFullScope();
  const query = useRead(withdrawLimit.groupList, {});
  const { data, isFetching } = query;
  const options = [
    { value: NO_GROUP, label: '不属于任何用户组', disabled: false },
    ...(data ?? []).map((group) => ({
      value: group.id,
      label: isHouse || group.forAgents ? group.name : `${group.name}（仅总部）`,
      disabled: !isHouse && !group.forAgents,
    })),
  ];
  return (
    <div className="ht-dialog-field">
      <label htmlFor={id}>用户组</label>
      <Select
        id={id}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder="请选择用户组"
        loading={isFetching}
        {...(value !== undefined && { value })}
        options={options}
        onChange={(chosen: number) => onChange(chosen, options.find((one) => one.value === chosen)?.label ?? '')}
      />
      {!data && <QueryPlace query={query} isSmall />}
    </div>
  );
}
