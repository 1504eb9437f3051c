import { spot } from '@hengtai/contract/trading/spot/calls';
import type { SpotRow } from '@hengtai/contract/trading/spot/schema';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { coinOf, frozenCoin, canRetry, quoteOf, kindText, stateText } from './words.ts';

/** Level 2: commands the engine to cancel one order. It shows 撤单中 until the engine confirms. */
export function CancelDialog({ row, onClose }: RecordDialogProps<SpotRow>) {
  const detail = useRead(spot.detail, { id: row.id }, { staleTime: 0 });
  const second = detail.data?.second ?? false;
  const now = detail.data?.row ?? row;
  const coin = frozenCoin(row);

  return (
    <ActionDialog
      call={spot.cancel}
      input={{ id: row.id }}
      user={row}
      needsChecker={second}
      successText="撤单指令已发出，等待撮合确认"
      danger
      amounts={[{ value: now.frozen, unit: coin, note: '撤销后解冻' }]}
      details={[
        { label: '委托', value: `${row.marketName} ${kindText(row)}` },
        { label: '状态', value: stateText(now.state) },
        { label: '委托价', value: <Money value={row.price} unit={quoteOf(row)} /> },
        {
          label: row.amount === null ? '委托金额' : '委托数量',
          value: <Money value={row.amount ?? row.funds} unit={row.amount === null ? quoteOf(row) : coinOf(row)} />,
        },
        { label: '已成交', value: <Money value={now.filled} unit={coinOf(row)} /> },
        { label: '委托时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={`${second ? AFTER_APPROVAL : ''}${canRetry(row) ? '再次' : ''}向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交，已成交部分不受影响。`}
      query={detail}
      stateText={stateText}
      onClose={onClose}
    />
  );
}
