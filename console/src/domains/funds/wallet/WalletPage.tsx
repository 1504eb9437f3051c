import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { wallet } from '@hengtai/contract/funds/wallet/calls';
import type { WalletRow } from '@hengtai/contract/funds/wallet/schema';
import { useState } from 'react';
import { useCan } from '../../../api/me.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { RowDrawer } from '../../../lists/RowDrawer.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { TransferRequestDialog } from '../wallet-transfer/exported/on-demand.ts';
import { walletColumns } from './columns.tsx';

const walletSums = [{ field: 'amount', label: '余额' }] as const;

/** 钱包: what the platform says about each of its wallets. */
export function WalletPage() {
  const list = useList(wallet.list);
  const hasAbility = useCan(ABILITY.assets);
  const [payer, setPayer] = useState<WalletRow>();
  return (
    <ListFrame
      list={list}
      columns={walletColumns}
      sums={walletSums}
      emptyHint="平台用 wallet.saved 登记每个钱包，用 wallet.balance 报告读数后，这里显示余额与核对结果。"
      onOpen={list.open}
      actions={{
        width: 116,
        open: '详情',
        render: (row) => (
          <GreyedAction disabledReason={disabledReasonOf(row, hasAbility)} onClick={() => setPayer(row)}>
            调拨
          </GreyedAction>
        ),
      }}
    >
      <RowDrawer noun="钱包" list={list} columns={walletColumns} />
      {payer && <TransferRequestDialog from={payer} onClose={() => setPayer(undefined)} />}
    </ListFrame>
  );
}

function disabledReasonOf({ state }: WalletRow, hasAbility: boolean): string | undefined {
  if (!hasAbility) return `没有「${abilityLabels[ABILITY.assets]}」权限`;
  return state === 0 ? '钱包已停用' : undefined;
}
