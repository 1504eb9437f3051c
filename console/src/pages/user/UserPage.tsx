import './user.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { user } from '@hengtai/contract/user';
import { Suspense, lazy, useState } from 'react';
import { useList } from '../../api/list.ts';
import { useCan } from '../../api/me.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { AssetDrawer } from './AssetDrawer.tsx';
import { userColumns } from './columns.tsx';

const AddUserDialog = lazy(async () => ({ default: (await import('./AddUserDialog.tsx')).AddUserDialog }));

/** 用户列表. */
export function UserPage() {
  const able = useCan(ABILITY.users);
  const list = useList(user.list);
  const [adding, setAdding] = useState(false);
  const { openId, open, close } = useOpenId();
  const why = able ? undefined : `没有「${abilityLabels[ABILITY.users]}」权限`;

  return (
    <ListFrame
      title="用户列表"
      tools={
        <GreyedAction look="button" why={why} onClick={() => setAdding(true)}>
          新增用户
        </GreyedAction>
      }
      list={list}
      columns={userColumns}
      openId={openId}
      onOpen={(row) => open(row.id)}
      next="用户注册或由此处新增后会出现在这里。"
      actions={{
        width: 72,
        render: (row) => (
          <GreyedAction why={undefined} onClick={() => open(row.id)}>
            资产
          </GreyedAction>
        ),
      }}
    >
      <AssetDrawer id={openId} onClose={close} />
      {adding && (
        <Suspense fallback={null}>
          <AddUserDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </ListFrame>
  );
}
