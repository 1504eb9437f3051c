import { ABILITY } from '@hengtai/contract/authority/ability';
import { walletCoin } from '@hengtai/contract/funds/wallet-coin/calls';
import { WALLET_COIN } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { useState } from 'react';
import { useCan } from '../../../api/me.ts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { TransferRequestDialog } from '../wallet-transfer/exported/on-demand.ts';
import { walletCoinColumns } from './columns.tsx';
import { ConnectSteps } from './ConnectSteps.tsx';
import { requestReason } from './words.ts';

const CoinDrawer = onDemand(async () => (await import('./CoinDrawer.tsx')).CoinDrawer);

/** 钱包对账: what the ledger and the wallets say of each coin, and what they differ by. */
export function WalletCoinPage() {
  const list = useList(walletCoin.list, { seconds: 30 });
  const [isConnecting, setIsConnecting] = useState(false);
  const [proposal, setProposal] = useState<WalletProposal>();
  const hasAbility = useCan(ABILITY.assets);
  const openSteps = () => {
    list.close();
    setIsConnecting(true);
  };
  const hasUnconnected = list.rows.some(({ state }) => state === WALLET_COIN.unconnected);
  return (
    <ListFrame
      list={list}
      columns={walletCoinColumns}
      note="差额 = 钱包合计 + 在途 − 账面托管，每 30 秒核对一次"
      tools={
        <>
          {hasUnconnected && (
            <GreyedAction look="button" onClick={openSteps}>
              接入钱包
            </GreyedAction>
          )}
          <PageLink to="/wallet-item">链上差异</PageLink>
          <PageLink to="/wallet-transfer">钱包调拨</PageLink>
          <PageLink to="/wallet">全部钱包</PageLink>
        </>
      }
      emptyHint={<ConnectSteps />}
      onOpen={list.open}
      actions={{ width: 72, open: '详情' }}
    >
      <PageDrawer
        open={isConnecting && list.openId === undefined}
        width={600}
        title="接入钱包"
        onClose={() => setIsConnecting(false)}
      >
        <ConnectSteps />
      </PageDrawer>
      <CoinDrawer id={list.openId} hasAbility={hasAbility} onTransfer={setProposal} onClose={list.close} />
      {proposal && (
        <TransferRequestDialog
          from={proposal.from}
          to={proposal.to}
          amount={proposal.amount}
          reason={requestReason(proposal)}
          onClose={() => setProposal(undefined)}
        />
      )}
    </ListFrame>
  );
}
