import { marketTypes } from '@hengtai/contract/trading/market/type';
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { priceProtectionStates } from '@hengtai/contract/risk/price-protection/facts';
import { useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { Money } from '../../../ui/value/Money.tsx';
import { MinuteInput } from './MinuteInput.tsx';
import { parseMinutes, nameOf } from './actions.ts';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: halts one kind of trading of a market immediately, for all users. */
export function HaltDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
  const [text, setText] = useState(String(row.planMinute));
  const planMinute = parseMinutes(text);

  return (
    <ActionDialog
      call={priceProtection.halt}
      input={{ id: marketIdOf(row), marketType: row.marketType, planMinute: planMinute ?? 1 }}
      title="暂停交易"
      danger
      details={[
        { label: '市场', value: nameOf(row) },
        { label: '当前状态', value: priceProtectionStates[row.planState as keyof typeof priceProtectionStates] },
        { label: '最新价', value: <Money value={row.price} unit="USDT" /> },
      ]}
      consequence={`立即停止接受 ${row.marketName} 的${marketTypes[row.marketType]}新委托，对所有用户生效；已有的委托与持仓不变。${planMinute === undefined ? '' : `${planMinute} 分钟后自动恢复。`}`}
      blocked={planMinute === undefined ? '暂停时长为 1–1440 分钟' : undefined}
      onClose={onClose}
    >
      <MinuteInput value={text} onChange={setText} />
    </ActionDialog>
  );
}
