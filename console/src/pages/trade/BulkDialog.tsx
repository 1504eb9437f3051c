import { home } from '@hengtai/contract/home';
import { trade, tradeCancelReasons } from '@hengtai/contract/trade';
import type { TradeRow } from '@hengtai/contract/trade.schema';
import { useAction } from '../../api/hooks.ts';
import { ManyDialog } from '../../shell/ManyDialog.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { pageSums } from '../../ui/page-sums.ts';
import { frozenCoin, whyNot } from './words.ts';

interface Props {
  rows: readonly TradeRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const STALE = [trade.list, trade.detail, trade.preview, home.state];
const frozen = { coin: frozenCoin, value: (row: TradeRow) => row.frozen };

/** Many orders cancelled at once. */
export function BulkDialog({ rows, onClose, onDone }: Props) {
  const { submit } = useAction(trade.cancelMany, { invalidate: STALE });
  const open = rows.filter((row) => whyNot(row, true) === undefined);
  const users = new Set(rows.map(({ userId }) => userId)).size;

  return (
    <ManyDialog
      title="批量撤销委托"
      verb="撤销"
      danger
      amounts={pageSums(open, frozen).map(({ coin, value }) => ({ value, unit: coin, note: '撤销后解冻' }))}
      facts={[
        { label: '条数', value: `${rows.length} 条` },
        { label: '用户', value: `${users} 位` },
        { label: '可撤', value: `${open.length} 条` },
        { label: '不可撤', value: `${rows.length - open.length} 条` },
      ]}
      consequence="逐条向撮合发出撤单指令；撮合确认前显示「撤单中」，期间仍可能成交。需要复核的转为提交复核，状态已变化的不受影响并列出原因。"
      ids={rows.map(({ id }) => id)}
      reasons={tradeCancelReasons}
      submit={submit}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
