import { type CommandAction, command } from '@hengtai/contract/house/command/calls';
import type { CommandRow } from '@hengtai/contract/house/command/schema';
import { useState } from 'react';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useMe } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { CommandDrawer } from './CommandDrawer.tsx';
import { CommandDialog } from './CommandDialog.tsx';
import { commandColumns } from './columns.tsx';
import { disabledReasonOf } from './words.ts';

prefetchList(command.list, '/command');

/** 平台指令: commands sent to the platform and their results. */
export function CommandPage() {
  const me = useMe();
  const list = useList(command.list, { seconds: 15 });
  const [dialog, setDialog] = useState<{ action: CommandAction; row: CommandRow }>();
  const ask = (action: CommandAction, row: CommandRow) => setDialog({ action, row });

  return (
    <ListFrame
      list={list}
      columns={commandColumns}
      onOpen={list.open}
      emptyHint="后台发给交易平台的指令会出现在这里：打款、撤单、平仓，以及审核与设置的通知。"
      actions={{
        width: 188,
        open: '详情',
        render: (row) => (
          <>
            <GreyedAction disabledReason={disabledReasonOf('resolve', row, me)} onClick={() => ask('resolve', row)}>
              确认结果
            </GreyedAction>
            <GreyedAction disabledReason={disabledReasonOf('retry', row, me)} onClick={() => ask('retry', row)}>
              重发
            </GreyedAction>
          </>
        ),
      }}
    >
      <CommandDrawer id={list.openId} onAsk={ask} onClose={list.close} />
      {dialog && <CommandDialog {...dialog} onClose={() => setDialog(undefined)} />}
    </ListFrame>
  );
}
