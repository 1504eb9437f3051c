import { home } from '@hengtai/contract/home';
import { trade, tradeCancelReasons } from '@hengtai/contract/trade';
import type { TradeRow } from '@hengtai/contract/trade.schema';
import { BulkConfirm } from '../../shell/BulkConfirm.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { frozenCoin, whyNot } from './words.ts';

interface Props {
  rows: readonly TradeRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const STALE = [trade.list, trade.detail, trade.preview, home.state];
const frozen = { coin: frozenCoin, value: (row: TradeRow) => row.frozen, note: '撤销后解冻' };

/** Many spot orders are cancelled at once. */
export function BulkDialog({ rows, onClose, onDone }: Props) {
  return (
    <BulkConfirm
      call={trade.cancelMany}
      stale={STALE}
      rows={rows}
      title="批量撤销委托"
      verb="撤销"
      amount={frozen}
      whyNot={(row) => whyNot(row, true)}
      consequence="逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交。需要复核的转为提交复核，状态已变化的不受影响并列出原因。"
      chips={tradeCancelReasons}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
