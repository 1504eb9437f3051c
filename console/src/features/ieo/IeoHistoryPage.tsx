import { ieo, ieoFinalStates } from '@hengtai/contract/ieo';
import { useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { IeoDrawer } from './IeoDrawer.tsx';
import { ieoColumns, ieoSums } from './columns.tsx';
import { sumsByMarket } from '../../ui/page-sums.ts';

const ENDED = { type: 'history' } as const;

/** 认购历史: passed, rejected and cancelled subscriptions. */
export function IeoHistoryPage() {
  const list = useList(ieo.list, { baseFilters: ENDED });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  return (
    <ListFrame
      title="认购历史"
      list={list}
      columns={ieoColumns}
      options={{ ...options, state: ieoFinalStates }}
      sums={ieoSums}
      pageSums={sumsByMarket}
      openId={openId}
      onOpen={(row) => open(row.id)}
      next="认购审核通过、驳回或被用户撤销后会出现在这里。"
      actions={{ width: 72, open: '详情' }}
    >
      <IeoDrawer id={openId} onClose={close} />
    </ListFrame>
  );
}
