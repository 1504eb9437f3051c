import { walletCoin } from '@hengtai/contract/funds/wallet-coin/calls';
import { WALLET_COIN } from '@hengtai/contract/funds/wallet-coin/facts';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { onDemand } from '../../../ui/page/on-demand.tsx';
import { walletCoinColumns } from './columns.tsx';
import { ConnectSteps } from './ConnectSteps.tsx';

const CoinDrawer = onDemand(async () => (await import('./CoinDrawer.tsx')).CoinDrawer);

/** 钱包对账: what the ledger and the wallets say of each coin, and what they differ by. */
export function WalletCoinPage() {
  const list = useList(walletCoin.list, { seconds: 30 });
  const isFiltered = Object.keys(list.state.filters).length > 0;
  const isUnconnected =
    !list.pending && !isFiltered && list.rows.every(({ state }) => state === WALLET_COIN.unconnected);
  return (
    <ListFrame
      list={list}
      columns={walletCoinColumns}
      note="差额 = 钱包合计 + 在途 − 账面托管，每 30 秒核对一次"
      tools={<PageLink to="/wallet">全部钱包</PageLink>}
      above={isUnconnected && <ConnectSteps />}
      emptyHint="有余额或有钱包的币种会出现在这里。"
      onOpen={list.open}
      actions={{ width: 72, open: '详情' }}
    >
      <CoinDrawer id={list.openId} onClose={list.close} />
    </ListFrame>
  );
}
