import { future, futureCancelReasons } from '@hengtai/contract/future';
import type { FutureRow } from '@hengtai/contract/future.schema';
import { useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { OrderBulkDialog } from '../../actions/BulkDialog.tsx';
import { WaitingMarks } from '../../actions/WaitingMark.tsx';
import { useBulkAction } from '../../actions/use-bulk-action.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { FutureDrawer } from './FutureDrawer.tsx';
import { futurePageSums, heldSum, waitColumns, waitSums } from './columns.tsx';
import { STALE } from './stale.ts';
import { useFutureActions } from './use-actions.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf } from './words.ts';

const PENDING = { state: 0 } as const;
const heldMarginSum = { ...heldSum, note: '撤销后释放保证金' };

/** 当前委托: futures orders that wait to be filled, and cancelling them. */
export function WaitPage() {
  const list = useList(future.list, { seconds: 15, baseFilters: PENDING });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  const actions = useFutureActions();
  const bulk = useBulkAction<FutureRow, 'all'>(list, () => '批量撤销合约委托');

  return (
    <WaitingMarks targetType="future" ids={[...list.rows.map(({ id }) => id), openId]}>
      <ListFrame
        title="当前委托"
        list={list}
        columns={waitColumns}
        options={options}
        sums={waitSums}
        pageSums={futurePageSums}
        openId={openId}
        onOpen={(row) => open(row.id)}
        next="用户下合约委托后会出现在这里。"
        actions={{
          width: 124,
          render: (row) => (
            <>
              <GreyedAction disabledReason={undefined} onClick={() => open(row.id)}>
                详情
              </GreyedAction>
              <GreyedAction
                danger
                disabledReason={disabledReasonOf('cancel', row, actions.hasAbility)}
                onClick={() => actions.ask('cancel', row)}
              >
                {canRetry('cancel', row) ? '再次撤单' : '撤单'}
              </GreyedAction>
            </>
          ),
        }}
        bulk={(rows) => [
          <GreyedAction
            key="cancel"
            look="button"
            danger
            disabledReason={actions.hasAbility ? undefined : NO_ABILITY}
            onClick={() => bulk.ask('all', rows)}
          >
            批量撤单
          </GreyedAction>,
        ]}
      >
        <FutureDrawer id={openId} actions={actions} onClose={close} />
        {actions.dialogs}
        {bulk.request && (
          <OrderBulkDialog
            call={future.cancelMany}
            invalidate={STALE}
            rows={bulk.request.rows}
            title="批量撤销合约委托"
            verb="撤销"
            sum={heldMarginSum}
            disabledReasonOf={(row) => disabledReasonOf('cancel', row, true)}
            consequence="逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交开仓。需要复核的转为提交复核，状态已变化的不受影响并列出原因。"
            reasons={futureCancelReasons}
            onClose={bulk.onClose}
            onDone={bulk.onDone}
          />
        )}
        {bulk.results}
      </ListFrame>
    </WaitingMarks>
  );
}
