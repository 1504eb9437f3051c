import { home } from '@hengtai/contract/home';
import { spot, spotCancelReasons } from '@hengtai/contract/spot';
import type { SpotRow } from '@hengtai/contract/spot.schema';
import { BulkConfirm } from '../../actions/BulkConfirm.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { frozenCoin, disabledReasonOf } from './words.ts';

interface Props {
  rows: readonly SpotRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const STALE = [spot.list, spot.detail, spot.preview, home.state];
const frozenSum = { coin: frozenCoin, value: (row: SpotRow) => row.frozen, note: '撤销后解冻' };

/** Cancels several spot orders. */
export function BulkDialog({ rows, onClose, onDone }: Props) {
  return (
    <BulkConfirm
      call={spot.cancelMany}
      invalidate={STALE}
      rows={rows}
      title="批量撤销委托"
      verb="撤销"
      amount={frozenSum}
      disabledReasonOf={(row) => disabledReasonOf(row, true)}
      consequence="逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交。需要复核的转为提交复核，状态已变化的不受影响并列出原因。"
      chips={spotCancelReasons}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
