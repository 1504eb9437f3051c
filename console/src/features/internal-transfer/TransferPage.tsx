import { internalTransfer } from '@hengtai/contract/internal-transfer';
import { prefetchList, useList } from '../../lists/list.ts';
import { useMarketOptions } from '../market/exported/market-options.ts';
import { ListFrame } from '../../lists/ListFrame.tsx';
import { useOpenId } from '../../lists/open-id.ts';
import { RowDrawer } from '../../lists/RowDrawer.tsx';
import { transferColumns, transferSums } from './columns.tsx';
import { sumsByMarket } from '../../ui/page-sums.ts';

prefetchList(internalTransfer.list, '/internalTransfer');

/** 内部转账明细: transfers between users and between the account types of one user. */
export function TransferPage() {
  const list = useList(internalTransfer.list);
  const options = useMarketOptions();
  const { openId, open, close } = useOpenId();
  return (
    <ListFrame
      title="内部转账明细"
      list={list}
      columns={transferColumns}
      options={options}
      sums={transferSums}
      pageSums={sumsByMarket}
      next="用户之间或账户之间划转后会出现在这里。"
      openId={openId}
      onOpen={(row) => open(row.id)}
      actions={{ width: 64, open: '详情' }}
    >
      <RowDrawer noun="内部转账" list={list} columns={transferColumns} openId={openId} onClose={close} />
    </ListFrame>
  );
}
