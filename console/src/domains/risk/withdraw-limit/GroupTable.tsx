import type { UserGroup } from '@hengtai/contract/risk/withdraw-limit/schema';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Time } from '../../../ui/value/Time.tsx';

interface Props {
  groups: readonly UserGroup[];
  onEdit: (group: UserGroup) => void;
  onDelete: (group: UserGroup) => void;
}

/** The groups with the number of their users. */
export function GroupTable({ groups, onEdit, onDelete }: Props) {
  if (groups.length === 0)
    return <p className="ht-page-empty">没有用户组。新增后在用户列表中把用户放入，再为它设置限额。</p>;
  return (
    <PageTable label="用户组" titles={['名称', '谁可以调整', '用户', '最近修改', '操作']}>
      {groups.map((group) => (
        <tr key={group.id}>
          <th scope="row">
            {group.name}
            <WaitingMark id={group.id} />
          </th>
          <td>{group.forAgents ? '总部和代理的操作员' : '仅总部'}</td>
          <td>
            <PageLink to={`/user?groupId=${group.id}`}>{group.members} 位</PageLink>
          </td>
          <td>
            <Time value={group.updatedAt} near />
          </td>
          <td>
            <GreyedAction onClick={() => onEdit(group)}>修改</GreyedAction>
            <GreyedAction
              danger
              disabledReason={group.members > 0 ? '组中仍有用户' : undefined}
              onClick={() => onDelete(group)}
            >
              删除
            </GreyedAction>
          </td>
        </tr>
      ))}
    </PageTable>
  );
}
