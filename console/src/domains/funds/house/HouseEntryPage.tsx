import { house } from '@hengtai/contract/funds/house/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { RowDrawer } from '../../../lists/RowDrawer.tsx';
import { entryPageSums, entrySums } from '../../../records/entry-sums.ts';
import { houseEntryColumns } from './entry-columns.tsx';

/** 平台账户明细: the ledger entries of the accounts of the house. */
export function HouseEntryPage() {
  const list = useList(house.entries);
  return (
    <ListFrame
      list={list}
      columns={houseEntryColumns}
      sums={entrySums}
      pageSums={entryPageSums}
      emptyHint="用户的充值、提现、交易与认购都有平台账户作对方；平台账户之间的划转也记在这里。"
      onOpen={list.open}
      actions={{ width: 72, open: '详情' }}
    >
      <RowDrawer noun="平台账户明细" list={list} columns={houseEntryColumns} />
    </ListFrame>
  );
}
