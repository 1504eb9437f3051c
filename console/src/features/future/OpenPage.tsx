import { future, futureCloseReasons } from '@hengtai/contract/future';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { Suspense, lazy, useState } from 'react';
import { useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { OrderBulkDialog } from '../../actions/BulkDialog.tsx';
import { WaitingMarks } from '../../actions/WaitingMark.tsx';
import { useBulkAction } from '../../actions/use-bulk-action.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { futurePageSums, heldSum, openColumns, openSums } from './columns.tsx';
import { STALE } from './stale.ts';
import { useFutureActions } from './use-actions.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf } from './words.ts';

const RiskDrawer = lazy(async () => ({ default: (await import('./RiskDrawer.tsx')).RiskDrawer }));

const OPEN = { state: 1 } as const;
const heldMarginSum = { ...heldSum, note: '占用保证金' };

/** 当前持仓: open positions with mark price and risk, and closing them. */
export function OpenPage() {
  const list = useList(future.list, { seconds: 5, baseFilters: OPEN });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  const actions = useFutureActions();
  const bulk = useBulkAction<FutureRow, 'all'>(list, () => '批量合约平仓');
  const [isRiskOpen, setRiskOpen] = useState(false);
  const filterMarketId = Number(list.state.filters['marketId']);

  return (
    <WaitingMarks targetType="future" ids={[...list.rows.map(({ id }) => id), openId]}>
      <ListFrame
        title="当前持仓"
        tools={
          <GreyedAction look="button" disabledReason={undefined} onClick={() => setRiskOpen(true)}>
            敞口与强平分布
          </GreyedAction>
        }
        list={list}
        columns={openColumns}
        options={options}
        sums={openSums}
        pageSums={futurePageSums}
        openId={openId}
        onOpen={(row) => open(row.id)}
        next="用户开仓后会出现在这里。"
        actions={{
          width: 124,
          render: (row) => (
            <>
              <GreyedAction disabledReason={undefined} onClick={() => open(row.id)}>
                详情
              </GreyedAction>
              <GreyedAction disabledReason={undefined} onClick={() => actions.expect([row.userId])}>
                风险
              </GreyedAction>
              <GreyedAction
                danger
                disabledReason={disabledReasonOf('close', row, actions.hasAbility)}
                onClick={() => actions.ask('close', row)}
              >
                {canRetry('close', row) ? '再次平仓' : '平仓'}
              </GreyedAction>
            </>
          ),
        }}
        bulk={(rows) => [
          <GreyedAction
            key="expect"
            look="button"
            disabledReason={undefined}
            onClick={() => actions.expect(rows.map(({ userId }) => userId))}
          >
            查看风险
          </GreyedAction>,
          <GreyedAction
            key="close"
            look="button"
            danger
            disabledReason={actions.hasAbility ? undefined : NO_ABILITY}
            onClick={() => bulk.ask('all', rows)}
          >
            批量平仓
          </GreyedAction>,
        ]}
      >
        <FutureDrawer id={openId} actions={actions} onClose={close} />
        {actions.dialogs}
        {bulk.request && (
          <OrderBulkDialog
            call={future.closeMany}
            invalidate={STALE}
            rows={bulk.request.rows}
            title="批量合约平仓"
            verb="平仓"
            sum={heldMarginSum}
            disabledReasonOf={(row) => disabledReasonOf('close', row, true)}
            consequence="逐条向撮合发出全部平仓指令：只减仓，不会反向开仓；按撮合成交价平仓，撮合确认前显示「平仓中」。需要复核的转为提交复核，状态已变化的不受影响并列出原因。"
            reasons={futureCloseReasons}
            onClose={bulk.onClose}
            onDone={bulk.onDone}
          />
        )}
        {bulk.results}
        <Suspense fallback={null}>
          {isRiskOpen && (
            <RiskDrawer
              first={Number.isInteger(filterMarketId) && filterMarketId > 0 ? filterMarketId : undefined}
              onClose={() => setRiskOpen(false)}
            />
          )}
        </Suspense>
      </ListFrame>
    </WaitingMarks>
  );
}
