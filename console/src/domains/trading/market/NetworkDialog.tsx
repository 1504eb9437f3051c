import { market } from '@hengtai/contract/trading/market/calls';
import { marketStates } from '@hengtai/contract/trading/market/facts';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: confirms the networks that an upgrade has opened. */
export function NetworkDialog({ row, onClose }: { row: MarketRow; onClose: () => void }) {
  return (
    <ActionDialog
      call={market.save}
      input={{ id: row.id, version: row.version, unconfirmed: [] }}
      title={`确认网络 · ${row.marketName}`}
      verb="确认网络"
      details={[{ label: '待确认', value: row.unconfirmed.join('、') }]}
      consequence="确认后不再提示；网络的开关不变。"
      reason={{ chips: ['已与平台核对'] }}
      stateText={(state) => marketStates[state as keyof typeof marketStates]}
      onClose={onClose}
    />
  );
}
