import { future } from '@hengtai/contract/future';
import { useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { closeColumns, futurePageSums, closeSums } from './columns.tsx';
import { useFutureActions } from './use-actions.tsx';

/** 平仓历史: one row per close or partial close. Opening a row shows its order. */
export function CloseHistoryPage() {
  const list = useList(future.closeHistory);
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  const actions = useFutureActions();
  return (
    <ListFrame
      title="平仓历史"
      list={list}
      columns={closeColumns}
      options={options}
      sums={closeSums}
      pageSums={futurePageSums}
      openId={list.rows.find(({ orderId }) => orderId === openId)?.id}
      onOpen={(row) => open(row.orderId)}
      next="合约平仓后会出现在这里。"
      actions={{ width: 72, open: '详情' }}
    >
      <FutureDrawer id={openId} actions={actions} onClose={close} />
      {actions.dialogs}
    </ListFrame>
  );
}
