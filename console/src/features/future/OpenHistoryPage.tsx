import { future } from '@hengtai/contract/future';
import { useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { endedColumns, futurePageSums, endedSums } from './columns.tsx';
import { useFutureActions } from './use-actions.tsx';

/** 委托历史: futures orders that were closed, cancelled or liquidated. */
export function OpenHistoryPage() {
  const list = useList(future.openHistory);
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  const actions = useFutureActions();
  return (
    <ListFrame
      title="委托历史"
      list={list}
      columns={endedColumns}
      options={options}
      sums={endedSums}
      pageSums={futurePageSums}
      openId={openId}
      onOpen={(row) => open(row.id)}
      next="合约委托平仓、撤销或强平后会出现在这里。"
      actions={{ width: 72, open: '详情' }}
    >
      <FutureDrawer id={openId} actions={actions} onClose={close} />
      {actions.dialogs}
    </ListFrame>
  );
}
