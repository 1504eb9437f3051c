import { future } from '@hengtai/contract/trading/future/calls';
import { useList } from '../../../lists/list.ts';
import { MarketCancel } from '../../../lists/MarketCancel.tsx';
import { OrderListFrame } from '../../../lists/OrderListFrame.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { futurePageSums, heldSum, waitColumns, waitSums } from './columns.tsx';
import { pendingDetails } from './pending-details.tsx';
import { useFutureActions } from './use-actions.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf } from './words.ts';

const PENDING = { state: 0 } as const;
const heldMarginSum = { ...heldSum, note: '撤销后释放保证金' };

/** 当前委托: futures orders that wait to be filled, and cancelling one order, selected orders or all orders of a market. */
export function WaitPage() {
  const list = useList(future.list, { seconds: 15, baseFilters: PENDING });
  const actions = useFutureActions();

  return (
    <OrderListFrame
      targetType="future"
      tools={
        <MarketCancel
          filter={list.state.filters['marketId']}
          disabledReason={actions.hasAbility ? undefined : NO_ABILITY}
          preview={future.cancelPreview}
          cancelAll={future.cancelAll}
          detailsOf={pendingDetails}
          consequence="向撮合逐条发出撤单指令，包括模拟委托，以及此刻之后新增、执行时仍未成交的委托；已部分成交的算作持仓，不会撤销。撮合确认前显示「撤单中」，期间仍可能成交开仓。"
        />
      }
      list={list}
      columns={waitColumns}
      sums={waitSums}
      lineUnit="项"
      pageSums={futurePageSums}
      emptyHint="用户下合约委托后会出现在这里，成交后移到「当前持仓」。"
      actionsWidth={112}
      end={{
        label: (row) => (canRetry('cancel', row) ? '再次撤单' : '撤单'),
        disabledReason: actions.hasAbility ? undefined : NO_ABILITY,
        disabledReasonOf: (row) => disabledReasonOf('cancel', row, true),
        ask: (row) => actions.ask('cancel', row),
        bulkLabel: '批量撤单',
        bulk: {
          call: future.cancelMany,
          title: '批量撤销合约委托',
          verb: '撤销',
          sum: heldMarginSum,
          consequence:
            '逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交开仓。需要复核的转为提交复核，状态已变化的不受影响并列出原因。',
        },
      }}
    >
      <FutureDrawer id={list.openId} actions={actions} onClose={list.close} />
      {actions.dialogs}
    </OrderListFrame>
  );
}
