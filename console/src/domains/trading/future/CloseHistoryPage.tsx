import { future } from '@hengtai/contract/trading/future/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { closeColumns, futurePageSums, closeSums } from './columns.tsx';
import { useFutureActions } from './use-actions.tsx';

/** 平仓历史: one row per close or partial close. Opening a row shows its order. */
export function CloseHistoryPage() {
  const list = useList(future.closeHistory);
  const actions = useFutureActions();
  return (
    <ListFrame
      list={list}
      columns={closeColumns}
      sums={closeSums}
      lineUnit="项"
      pageSums={futurePageSums}
      openId={list.rows.find(({ orderId }) => orderId === list.openId)?.id}
      onOpen={(row) => list.open({ id: row.orderId })}
      emptyHint="合约平仓后会出现在这里：用户平仓、止盈止损和强平，分别标出。"
      actions={{ width: 72, open: '详情' }}
    >
      <FutureDrawer id={list.openId} actions={actions} onClose={list.close} />
      {actions.dialogs}
    </ListFrame>
  );
}
