import { ieo, ieoFinalStates } from '@hengtai/contract/trading/ieo/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { ieoColumns, ieoSums } from './columns.tsx';

const IeoDrawer = onDemand(async () => (await import('./IeoDrawer.tsx')).IeoDrawer);

const ENDED = { type: 'history' } as const;

/** 认购历史: passed, rejected and cancelled subscriptions. */
export function IeoHistoryPage() {
  const list = useList(ieo.list, { baseFilters: ENDED });
  return (
    <ListFrame
      list={list}
      columns={ieoColumns}
      options={{ state: ieoFinalStates }}
      sums={ieoSums}
      onOpen={list.open}
      emptyHint="认购审核通过、驳回或被用户撤销后会出现在这里。"
      actions={{ width: 72, open: '详情' }}
    >
      <IeoDrawer id={list.openId} onClose={list.close} />
    </ListFrame>
  );
}
