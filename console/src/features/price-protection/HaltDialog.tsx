import { marketTypes } from '@hengtai/contract/market-type';
import { priceProtection, priceProtectionHaltReasons, priceProtectionStates } from '@hengtai/contract/price-protection';
import { useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast } from '../../api/run-with-toast.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Money } from '../../ui/Money.tsx';
import { MinuteInput } from './MinuteInput.tsx';
import { STALE, parseMinutes, nameOf } from './actions.ts';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

interface Props {
  row: PriceProtectionView;
  onClose: () => void;
}

/** Level 2: halts one kind of trading of a market immediately, for all users. */
export function HaltDialog({ row, onClose }: Props) {
  const { submit } = useAction(priceProtection.halt, { invalidate: STALE });
  const [text, setText] = useState(String(row.planMinute));
  const planMinute = parseMinutes(text);

  async function run(reason: string, key: string) {
    const input = { id: marketIdOf(row), marketType: row.marketType, planMinute: planMinute ?? 1, reason };
    const error = await runWithToast(() => submit(input, key));
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title="暂停交易"
      verb="暂停交易"
      danger
      details={[
        { label: '市场', value: nameOf(row) },
        { label: '当前状态', value: priceProtectionStates[row.planState as keyof typeof priceProtectionStates] },
        { label: '最新价', value: <Money value={row.price} unit="USDT" digits={18} /> },
      ]}
      consequence={`立即停止接受 ${row.marketName} 的${marketTypes[row.marketType]}新委托，对所有用户生效；已有的委托与持仓不变。${planMinute === undefined ? '' : `${planMinute} 分钟后自动恢复。`}`}
      blocked={planMinute === undefined ? '暂停时长为 1–1440 分钟' : undefined}
      reason={{ required: true, chips: priceProtectionHaltReasons }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <MinuteInput value={text} onChange={setText} />
    </ConfirmDialog>
  );
}
