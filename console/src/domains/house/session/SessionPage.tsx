import './session.css';
import { SESSION, session } from '@hengtai/contract/house/session/calls';
import type { SessionRow } from '@hengtai/contract/house/session/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { KickDialog } from './KickDialog.tsx';
import { sessionColumns } from './columns.tsx';

/** 登录会话: sessions of the operators in the subtree, and ending them. */
export function SessionPage() {
  const list = useList(session.list, { seconds: 30 });
  const [ending, setEnding] = useState<SessionRow>();
  return (
    <ListFrame
      note="结束后立即生效，对方需要重新登录"
      list={list}
      columns={sessionColumns}
      emptyHint="有操作员登录后会出现在这里。"
      actions={{
        width: 84,
        render: (row) => (
          <GreyedAction danger disabledReason={disabledReasonOf(row)} onClick={() => setEnding(row)}>
            结束
          </GreyedAction>
        ),
      }}
    >
      {ending && <KickDialog row={ending} onClose={() => setEnding(undefined)} />}
    </ListFrame>
  );
}

function disabledReasonOf(row: SessionRow): string | undefined {
  if (row.state !== SESSION.online) return '会话已结束';
  if (row.current === 1) return '这是当前会话，请使用「退出登录」';
  return row.within === 1 ? undefined : '只能结束自己或下级代理的会话';
}
