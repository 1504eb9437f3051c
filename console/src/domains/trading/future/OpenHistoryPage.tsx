import { future } from '@hengtai/contract/trading/future/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { endedColumns, futurePageSums, endedSums } from './columns.tsx';
import { useFutureActions } from './use-actions.tsx';

/** 委托历史: futures orders that were closed, cancelled or liquidated. */
export function OpenHistoryPage() {
  const list = useList(future.openHistory);
  const actions = useFutureActions();
  return (
    <ListFrame
      list={list}
      columns={endedColumns}
      sums={endedSums}
      lineUnit="项"
      pageSums={futurePageSums}
      onOpen={list.open}
      emptyHint="合约委托平仓、撤销或强平后会出现在这里。"
      actions={{ width: 72, open: '详情' }}
    >
      <FutureDrawer id={list.openId} actions={actions} onClose={list.close} />
      {actions.dialogs}
    </ListFrame>
  );
}
