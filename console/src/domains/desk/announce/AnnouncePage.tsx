import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import './announce.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { announce } from '@hengtai/contract/desk/announce/calls';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { type AnnounceAction, AnnounceDialog } from './AnnounceDialog.tsx';
import { announceColumns } from './columns.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';

const AnnounceDrawer = onDemand(async () => (await import('./AnnounceDrawer.tsx')).AnnounceDrawer);

/** 公告管理: published announcements and drafts in all languages. */
export function AnnouncePage() {
  const list = useList(announce.list);
  const { open: go } = usePageRoute();
  const disabledReason = useCan(ABILITY.platform) ? undefined : '没有「平台设置」权限';
  const [dialog, setDialog] = useState<{ action: AnnounceAction; row: AnnounceRow }>();
  const ask = (action: AnnounceAction, row: AnnounceRow) => setDialog({ action, row });
  const edit = (row: AnnounceRow) => go(`/announce/update/${row.id}`);

  return (
    <ListFrame
      tools={
        <GreyedAction look="button" disabledReason={disabledReason} onClick={() => go('/announce/add')}>
          新增公告
        </GreyedAction>
      }
      list={list}
      columns={announceColumns}
      onOpen={list.open}
      emptyHint="点右上角「新增公告」写一条，可以先存草稿，也可以定时发布。"
      actions={{
        width: 190,
        render: (row) => (
          <>
            <GreyedAction disabledReason={undefined} onClick={() => list.open(row)}>
              预览
            </GreyedAction>
            <GreyedAction disabledReason={disabledReason} onClick={() => edit(row)}>
              编辑
            </GreyedAction>
            <GreyedAction disabledReason={disabledReason} onClick={() => ask('state', row)}>
              {row.state === ANNOUNCE.published ? '下线' : '发布'}
            </GreyedAction>
            <GreyedAction danger disabledReason={disabledReason} onClick={() => ask('delete', row)}>
              删除
            </GreyedAction>
          </>
        ),
      }}
    >
      {list.openId !== undefined && (
        <AnnounceDrawer
          id={list.openId}
          onEdit={edit}
          onAsk={ask}
          onAddLangs={(row) => go(`/announce/add?group=${row.group}`)}
          onClose={list.close}
        />
      )}
      {dialog && (
        <AnnounceDialog
          {...dialog}
          onClose={() => setDialog(undefined)}
          onDeleted={() => {
            setDialog(undefined);
            if (list.openId === dialog.row.id) list.close();
          }}
        />
      )}
    </ListFrame>
  );
}
