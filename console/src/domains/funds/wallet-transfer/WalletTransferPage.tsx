import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { walletTransfer } from '@hengtai/contract/funds/wallet-transfer/calls';
import { walletTransferActions } from '@hengtai/contract/funds/wallet-transfer/facts';
import type { WalletTransferRow } from '@hengtai/contract/funds/wallet-transfer/schema';
import { useState } from 'react';
import { useCan } from '../../../api/me.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { walletTransferColumns } from './columns.tsx';
import { TransferRequestDialog } from './exported/on-demand.ts';
import { TRANSFER_CHANGES, type TransferChange, disabledReasonOf } from './words.ts';

const TransferDrawer = onDemand(async () => (await import('./TransferDrawer.tsx')).TransferDrawer);
const ChangeDialog = dialogOnDemand(async () => (await import('./ChangeDialog.tsx')).ChangeDialog);

/** 钱包调拨: transfers between wallets of a platform. */
export function WalletTransferPage() {
  const hasAbility = useCan(ABILITY.assets);
  const list = useList(walletTransfer.list, { seconds: 15 });
  const [isRequesting, setIsRequesting] = useState(false);
  const [dialog, setDialog] = useState<{ change: TransferChange; row: WalletTransferRow }>();
  const ask = (change: TransferChange, row: WalletTransferRow) => setDialog({ change, row });
  return (
    <ListFrame
      list={list}
      columns={walletTransferColumns}
      tools={
        <>
          <GreyedAction
            look="button"
            primary
            disabledReason={hasAbility ? undefined : `没有「${abilityLabels[ABILITY.assets]}」权限`}
            onClick={() => setIsRequesting(true)}
          >
            新建调拨
          </GreyedAction>
          <PageLink to="/wallet-coin">钱包对账</PageLink>
        </>
      }
      emptyHint="在平台自己的两个钱包之间调拨，例如补充热钱包、归集到冷钱包。指令由平台的钱包执行，账本不变。"
      onOpen={list.open}
      actions={{
        width: 148,
        open: '详情',
        render: (row) =>
          TRANSFER_CHANGES.map((change) => (
            <GreyedAction
              key={change}
              danger={change === 'cancel'}
              disabledReason={disabledReasonOf(change, row, hasAbility)}
              onClick={() => ask(change, row)}
            >
              {walletTransferActions[change].short}
            </GreyedAction>
          )),
      }}
    >
      <TransferDrawer id={list.openId} hasAbility={hasAbility} onAsk={ask} onClose={list.close} />
      {dialog && <ChangeDialog {...dialog} onClose={() => setDialog(undefined)} />}
      {isRequesting && <TransferRequestDialog onDone={list.refresh} onClose={() => setIsRequesting(false)} />}
    </ListFrame>
  );
}
