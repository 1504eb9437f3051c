import { future } from '@hengtai/contract/trading/future/calls';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { OrderListFrame } from '../../../lists/OrderListFrame.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { futurePageSums, heldSum, openColumns, openSums } from './columns.tsx';
import { useFutureActions } from './use-actions.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf } from './words.ts';

const RiskDrawer = onDemand(async () => (await import('./RiskDrawer.tsx')).RiskDrawer);

const OPEN = { state: 1 } as const;
const heldMarginSum = { ...heldSum, note: '占用保证金' };

/** 当前持仓: open positions with mark price and risk, and closing them. */
export function OpenPage() {
  const list = useList(future.list, { seconds: 5, baseFilters: OPEN });
  const actions = useFutureActions();
  const [isRiskOpen, setRiskOpen] = useState(false);
  const filterMarketId = Number(list.state.filters['marketId']);

  return (
    <OrderListFrame
      targetType="future"
      tools={
        <GreyedAction look="button" onClick={() => setRiskOpen(true)}>
          敞口与强平分布
        </GreyedAction>
      }
      list={list}
      columns={openColumns}
      sums={openSums}
      lineUnit="项"
      pageSums={futurePageSums}
      emptyHint="用户开仓后会出现在这里；盈亏按最新标记价计算，平仓后移到「平仓历史」。"
      actionsWidth={124}
      renderRowActions={(row) => <GreyedAction onClick={() => actions.expect([row.userId])}>风险</GreyedAction>}
      bulkActions={(rows) => [
        <GreyedAction key="expect" look="button" onClick={() => actions.expect(rows.map(({ userId }) => userId))}>
          查看风险
        </GreyedAction>,
      ]}
      end={{
        label: (row) => (canRetry('close', row) ? '再次平仓' : '平仓'),
        disabledReason: actions.hasAbility ? undefined : NO_ABILITY,
        disabledReasonOf: (row) => disabledReasonOf('close', row, true),
        ask: (row) => actions.ask('close', row),
        bulkLabel: '批量平仓',
        bulk: {
          call: future.closeMany,
          title: '批量合约平仓',
          verb: '平仓',
          sum: heldMarginSum,
          consequence:
            '逐条向撮合发出全部平仓指令：只减仓，不会反向开仓；按撮合成交价平仓，撮合确认前显示「平仓中」。需要复核的转为提交复核，状态已变化的不受影响并列出原因。',
        },
      }}
    >
      <FutureDrawer id={list.openId} actions={actions} onClose={list.close} />
      {actions.dialogs}
      {isRiskOpen && (
        <RiskDrawer
          first={Number.isInteger(filterMarketId) && filterMarketId > 0 ? filterMarketId : undefined}
          onClose={() => setRiskOpen(false)}
        />
      )}
    </OrderListFrame>
  );
}
