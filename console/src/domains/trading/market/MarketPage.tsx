import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { market } from '@hengtai/contract/trading/market/calls';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { useState } from 'react';
import { prefetchList, useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { MarketDrawer } from './MarketDrawer.tsx';
import { NetworkDialog } from './NetworkDialog.tsx';
import { marketColumns } from './columns.tsx';

prefetchList(market.list, '/market');

/** 市场管理: all markets. Prices refresh without highlighting and without reordering the rows. */
export function MarketPage() {
  const list = useList(market.list, { seconds: 5 });
  const route = usePageRoute();
  const disabledReason = useCan(ABILITY.markets) ? undefined : `没有「${abilityLabels[ABILITY.markets]}」权限`;
  const [confirming, setConfirming] = useState<MarketRow>();
  const edit = (row: MarketRow) => route.open(`/market/update/${row.id}`);
  return (
    <ListFrame
      targetType="market"
      tools={
        <GreyedAction look="button" disabledReason={disabledReason} onClick={() => route.open('/market/add')}>
          新增市场
        </GreyedAction>
      }
      list={list}
      columns={marketColumns}
      onOpen={list.open}
      emptyHint="平台上报的市场会自动出现，也可以点右上角「新增市场」。"
      actions={{
        width: 90,
        open: '详情',
        render: (row) => (
          <GreyedAction disabledReason={disabledReason} onClick={() => edit(row)}>
            编辑
          </GreyedAction>
        ),
      }}
    >
      <MarketDrawer
        id={list.openId}
        listRow={list.rows.find(({ id }) => id === list.openId)}
        renderActions={(row) => (
          <>
            {row.unconfirmed.length > 0 && (
              <GreyedAction look="button" disabledReason={disabledReason} onClick={() => setConfirming(row)}>
                确认网络
              </GreyedAction>
            )}
            <GreyedAction look="button" disabledReason={disabledReason} onClick={() => edit(row)}>
              编辑
            </GreyedAction>
            <WaitingMark id={row.id} />
          </>
        )}
        onClose={list.close}
      />
      {confirming && <NetworkDialog row={confirming} onClose={() => setConfirming(undefined)} />}
    </ListFrame>
  );
}
