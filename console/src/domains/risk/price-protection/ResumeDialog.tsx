import { marketTypes } from '@hengtai/contract/trading/market/type';
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { nameOf } from './actions.ts';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: ends a halt early. */
export function ResumeDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
  return (
    <ActionDialog
      call={priceProtection.resume}
      input={{ id: marketIdOf(row), marketType: row.marketType }}
      title="恢复交易"
      details={[
        { label: '市场', value: nameOf(row) },
        { label: '最新价', value: <Money value={row.price} unit="USDT" /> },
        { label: '暂停于', value: <Time value={row.triggeredAt} /> },
        { label: '原定恢复', value: <Time value={row.resumeAt} /> },
        {
          label: row.haltedBy === null ? '触发价' : '手动暂停人',
          value: row.haltedBy ?? <Money value={row.triggerPrice} unit="USDT" />,
        },
      ]}
      consequence={`立即恢复 ${row.marketName} 的${marketTypes[row.marketType]}交易。${row.watched === 1 ? '价格回到区间内一次之后，才会再次触发。' : ''}`}
      onClose={onClose}
    />
  );
}
