import { future } from '@hengtai/contract/trading/future/calls';
import type { FutureRow } from '@hengtai/contract/trading/future/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { DemoMark } from './columns.tsx';
import { coinOf, canRetry, kindText, stateText } from './words.ts';

/** Level 2: commands the engine to cancel one order. It shows 撤单中 until the engine confirms. */
export function CancelDialog({ row, onClose }: RecordDialogProps<FutureRow>) {
  const detail = useRead(future.detail, { id: row.id }, { staleTime: 0 });
  const second = detail.data?.secondCancel ?? false;
  const now = detail.data?.row ?? row;

  return (
    <ActionDialog
      call={future.cancel}
      input={{ id: row.id }}
      user={row}
      needsChecker={second}
      successText="撤单指令已发出，等待撮合确认"
      danger
      verb="撤销委托"
      amounts={[{ value: now.held, unit: coinOf(row), note: '撤销后释放保证金' }]}
      details={[
        { label: '合约', value: kindText(row) },
        { label: '账户', value: <DemoMark demo={row.demo} /> },
        { label: '委托价', value: <Money value={row.price} unit={SETTLEMENT} /> },
        { label: '数量', value: <Money value={row.amount} unit={row.marketName} /> },
        { label: '状态', value: stateText(now.state) },
        { label: '委托时间', value: <Time value={row.createdAt} /> },
      ]}
      consequence={`${second ? AFTER_APPROVAL : ''}${canRetry('cancel', row) ? '再次' : ''}向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交开仓。`}
      query={detail}
      stateText={stateText}
      onClose={onClose}
    />
  );
}
