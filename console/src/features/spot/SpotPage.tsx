import './spot.css';
import { ABILITY } from '@hengtai/contract/ability';
import { spot, spotCancelReasons } from '@hengtai/contract/spot';
import type { SpotRow } from '@hengtai/contract/spot.schema';
import { useState } from 'react';
import { prefetchList, useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { useCan } from '../../api/me.ts';
import { useOpenId } from '../../lists/open-id.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { useBulkAction } from '../../actions/use-bulk-action.tsx';
import { WaitingMarks } from '../../actions/WaitingMark.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { OrderBulkDialog } from '../../actions/BulkDialog.tsx';
import { CancelDialog } from './CancelDialog.tsx';
import { MarketDialog } from './MarketDialog.tsx';
import { SpotDrawer } from './SpotDrawer.tsx';
import { spotColumns, spotPageSums, spotSums } from './columns.tsx';
import { NO_ABILITY, canRetry, disabledReasonOf, STALE, frozenCoin } from './words.ts';

prefetchList(spot.list, '/trade/order');

const frozenSum = { coin: frozenCoin, value: (row: SpotRow) => row.frozen, note: '撤销后解冻' };

/** 现货交易: orders, and cancelling one order, selected orders or all orders of a market. */
export function SpotPage() {
  const hasAbility = useCan(ABILITY.orders);
  const list = useList(spot.list, { seconds: 15 });
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  const [cancelling, setCancelling] = useState<SpotRow>();
  const bulk = useBulkAction<SpotRow, 'cancel'>(list, () => '批量撤单');
  const [isMarketDialogOpen, setMarketDialogOpen] = useState(false);
  const filterMarketId = Number(list.state.filters['marketId']);

  return (
    <WaitingMarks targetType="trade" ids={[...list.rows.map(({ id }) => id), openId]}>
      <ListFrame
        title="现货交易"
        tools={
          <GreyedAction
            look="button"
            danger
            disabledReason={hasAbility ? undefined : NO_ABILITY}
            onClick={() => setMarketDialogOpen(true)}
          >
            市场撤单
          </GreyedAction>
        }
        list={list}
        columns={spotColumns}
        options={options}
        sums={spotSums}
        pageSums={spotPageSums}
        openId={openId}
        onOpen={(row) => open(row.id)}
        next="用户下现货委托后会出现在这里。"
        actions={{
          width: 124,
          render: (row) => (
            <>
              <GreyedAction disabledReason={undefined} onClick={() => open(row.id)}>
                详情
              </GreyedAction>
              <GreyedAction
                danger
                disabledReason={disabledReasonOf(row, hasAbility)}
                onClick={() => setCancelling(row)}
              >
                {canRetry(row) ? '再次撤单' : '撤单'}
              </GreyedAction>
            </>
          ),
        }}
        bulk={(rows) => [
          <GreyedAction
            key="cancel"
            look="button"
            danger
            disabledReason={hasAbility ? undefined : NO_ABILITY}
            onClick={() => bulk.ask('cancel', rows)}
          >
            批量撤单
          </GreyedAction>,
        ]}
      >
        <SpotDrawer id={openId} hasAbility={hasAbility} onCancel={setCancelling} onClose={close} />
        {cancelling && <CancelDialog row={cancelling} onClose={() => setCancelling(undefined)} />}
        {bulk.request && (
          <OrderBulkDialog
            call={spot.cancelMany}
            invalidate={STALE}
            rows={bulk.request.rows}
            title="批量撤销委托"
            verb="撤销"
            sum={frozenSum}
            disabledReasonOf={(row) => disabledReasonOf(row, true)}
            consequence="逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交。需要复核的转为提交复核，状态已变化的不受影响并列出原因。"
            reasons={spotCancelReasons}
            onClose={bulk.onClose}
            onDone={bulk.onDone}
          />
        )}
        {isMarketDialogOpen && (
          <MarketDialog
            first={Number.isInteger(filterMarketId) && filterMarketId > 0 ? filterMarketId : undefined}
            options={options.marketId ?? {}}
            onClose={() => setMarketDialogOpen(false)}
          />
        )}
        {bulk.results}
      </ListFrame>
    </WaitingMarks>
  );
}
