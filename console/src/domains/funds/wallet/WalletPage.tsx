import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { RowDrawer } from '../../../lists/RowDrawer.tsx';
import { walletColumns } from './columns.tsx';

const walletSums = [{ field: 'amount', label: '余额' }] as const;

/** 钱包: what the platform says about each of its wallets. */
export function WalletPage() {
  const list = useList(wallet.list);
  return (
    <ListFrame
      list={list}
      columns={walletColumns}
      sums={walletSums}
      emptyHint="平台用 wallet.saved 登记每个钱包，用 wallet.balance 报告读数后，这里显示余额与核对结果。"
      onOpen={list.open}
      actions={{ width: 72, open: '详情' }}
    >
      <RowDrawer noun="钱包" list={list} columns={walletColumns} />
    </ListFrame>
  );
}
