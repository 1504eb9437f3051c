import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { ActionDialog } from '../../../../actions/ActionDialog.tsx';

interface Props {
  /** The coins that it stops, which may be all. */
  coins: readonly AutoCoin[];
  /** Stops every coin, also one that starts meanwhile. */
  isAll: boolean;
  onClose: () => void;
}

/** Stops automatic payouts of one coin or of all. Needs no code, because it only protects. */
export function StopDialog({ coins, isAll, onClose }: Props) {
  const names = coins.map(({ marketName }) => marketName).join('、');
  const [only] = coins;
  return (
    <ActionDialog
      call={autoPayout.stop}
      input={isAll || !only ? {} : { marketId: only.marketId }}
      title={isAll ? '暂停自动打款：全部币种' : `暂停自动打款：${names}`}
      verb="暂停自动打款"
      details={[{ label: '币种', value: names, wide: true, essential: true }]}
      consequence="此后的提现全部转人工审核，直到逐个币种恢复。已经通过的打款不受影响。"
      successText={`已暂停 ${names} 的自动打款`}
      onClose={onClose}
    />
  );
}
