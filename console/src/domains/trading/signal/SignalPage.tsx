import { ABILITY } from '@hengtai/contract/authority/ability';
import { signal } from '@hengtai/contract/trading/signal/calls';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { dialogOnDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { SignalDrawer } from './SignalDrawer.tsx';
import { StateDialog } from './StateDialog.tsx';
import { signalColumns } from './columns.tsx';
import { NO_ABILITY, type SignalAction, disabledReasonOf } from './words.ts';

const SignalDialog = dialogOnDemand(async () => (await import('./SignalDialog.tsx')).SignalDialog);

/** 信号: trading signals and the results of their copy trades. */
export function SignalPage() {
  const hasAbility = useCan(ABILITY.markets);
  const list = useList(signal.list, { seconds: 30 });
  const [dialog, setDialog] = useState<{ action: SignalAction | 'add'; row?: SignalRow }>();
  const closeDialog = () => {
    // The new signal must appear immediately, not as a count of buffered rows.
    if (dialog?.action === 'add') list.refresh();
    setDialog(undefined);
  };
  const actions = (row: SignalRow, look: 'text' | 'button') => (
    <>
      <GreyedAction
        look={look}
        disabledReason={disabledReasonOf('edit', row, hasAbility)}
        onClick={() => setDialog({ action: 'edit', row })}
      >
        编辑
      </GreyedAction>
      {row.state === SIGNAL.draft && (
        <GreyedAction
          look={look}
          disabledReason={disabledReasonOf('publish', row, hasAbility)}
          onClick={() => setDialog({ action: 'publish', row })}
        >
          发布
        </GreyedAction>
      )}
      <GreyedAction
        look={look}
        danger
        disabledReason={disabledReasonOf('end', row, hasAbility)}
        onClick={() => setDialog({ action: 'end', row })}
      >
        {row.state === SIGNAL.draft ? '作废' : '结束'}
      </GreyedAction>
    </>
  );

  return (
    <ListFrame
      tools={
        <GreyedAction
          look="button"
          disabledReason={hasAbility ? undefined : NO_ABILITY}
          onClick={() => setDialog({ action: 'add' })}
        >
          新增信号
        </GreyedAction>
      }
      list={list}
      columns={signalColumns}
      onOpen={list.open}
      emptyHint={
        hasAbility
          ? '点击右上角「新增信号」写一条信号，发布后用户即可跟单。'
          : '有市场设置权限的操作员发布信号后会出现在这里。'
      }
      actions={{
        width: 162,
        open: '详情',
        render: (row) => actions(row, 'text'),
      }}
    >
      <SignalDrawer id={list.openId} actions={(row) => actions(row, 'button')} onClose={list.close} />
      {dialog?.row && (dialog.action === 'publish' || dialog.action === 'end') && (
        <StateDialog action={dialog.action} row={dialog.row} onClose={closeDialog} />
      )}
      {(dialog?.action === 'add' || dialog?.action === 'edit') && (
        <SignalDialog row={dialog.row} onClose={closeDialog} />
      )}
    </ListFrame>
  );
}
