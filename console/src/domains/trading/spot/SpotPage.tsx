import { ABILITY } from '@hengtai/contract/authority/ability';
import { spot } from '@hengtai/contract/trading/spot/calls';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';
import { useState } from 'react';
import { prefetchList, useList } from '../../../lists/list.ts';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { useCan } from '../../../api/me.ts';
import { MarketCancel } from '../../../lists/MarketCancel.tsx';
import { OrderListFrame } from '../../../lists/OrderListFrame.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { CancelDialog } from './CancelDialog.tsx';
import { heldDetails } from './held-details.tsx';
import { SpotDrawer } from './SpotDrawer.tsx';
import { spotColumns, spotPageSums, spotSums } from './columns.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf, frozenCoin } from './words.ts';

prefetchList(spot.list, '/trade/order');

const frozenSum = { coin: frozenCoin, value: (row: SpotRow) => row.frozen, note: '撤销后解冻' };

/** 现货交易: orders, and cancelling one order, selected orders or all orders of a market. */
export function SpotPage() {
  const hasAbility = useCan(ABILITY.orders);
  const list = useList(spot.list, { seconds: 15 });
  const { open } = usePageRoute();
  const [cancelling, setCancelling] = useState<SpotRow>();

  return (
    <OrderListFrame
      targetType="trade"
      tools={
        <>
          <GreyedAction look="button" onClick={() => open('/trade/fill')}>
            成交记录
          </GreyedAction>
          <MarketCancel
            filter={list.state.filters['marketId']}
            disabledReason={hasAbility ? undefined : NO_ABILITY}
            preview={spot.preview}
            cancelAll={spot.cancelAll}
            detailsOf={heldDetails}
            consequence="向撮合逐条发出撤单指令，包括此刻之后新增、执行时仍未完成的委托；撮合确认前显示「撤单中」，期间仍可能成交。"
          />
        </>
      }
      list={list}
      columns={spotColumns}
      sums={spotSums}
      lineUnit="个市场"
      pageSums={spotPageSums}
      emptyHint="用户下现货委托后会出现在这里；未成交的可以撤单。"
      actionsWidth={124}
      end={{
        label: (row) => (canRetry(row) ? '再次撤单' : '撤单'),
        disabledReason: hasAbility ? undefined : NO_ABILITY,
        disabledReasonOf: (row) => disabledReasonOf(row, true),
        ask: setCancelling,
        bulkLabel: '批量撤单',
        bulk: {
          call: spot.cancelMany,
          title: '批量撤销委托',
          verb: '撤销',
          sum: frozenSum,
          consequence:
            '逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交。需要复核的转为提交复核，状态已变化的不受影响并列出原因。',
        },
      }}
    >
      <SpotDrawer id={list.openId} hasAbility={hasAbility} onCancel={setCancelling} onClose={list.close} />
      {cancelling && <CancelDialog row={cancelling} onClose={() => setCancelling(undefined)} />}
    </OrderListFrame>
  );
}
