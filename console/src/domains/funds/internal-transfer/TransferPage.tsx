import { internalTransfer } from '@hengtai/contract/funds/internal-transfer/calls';
import { prefetchList, useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { RowDrawer } from '../../../lists/RowDrawer.tsx';
import { transferColumns, transferSums } from './columns.tsx';

prefetchList(internalTransfer.list, '/internalTransfer');

/** 内部转账明细: transfers between users and between the account types of one user. */
export function TransferPage() {
  const list = useList(internalTransfer.list);
  return (
    <ListFrame
      list={list}
      columns={transferColumns}
      sums={transferSums}
      emptyHint="用户之间转账，或在自己的账户之间划转后，会出现在这里。"
      onOpen={list.open}
      actions={{ width: 64, open: '详情' }}
    >
      <RowDrawer noun="内部转账" list={list} columns={transferColumns} />
    </ListFrame>
  );
}
