import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import { useCounts } from '../../../api/notify.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';

const { path, query } = countSpecs.walletDifferent;

/** Says that ledger and wallets differ; nothing while they agree or the operator may not read them. */
export function WalletLine() {
  const count = useCounts()?.walletDifferent ?? 0;
  if (count === 0) return null;
  return (
    <p className="ht-home-wallets" role="status">
      {count} 个币种的钱包与账本不符。
      <PageLink to={path + query}>查看钱包对账</PageLink>
    </p>
  );
}
