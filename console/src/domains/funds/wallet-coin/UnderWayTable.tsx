import type { UnderWayItem } from '@hengtai/contract/funds/wallet-coin/schema';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { targetOf, wordsOf } from './words.ts';

type Row = UnderWayItem & { unit: string };

const columns: readonly MiniColumn<Row>[] = [
  { title: '时间', nowrap: true, cell: ({ at }) => <Time value={at} short /> },
  {
    title: '情况与下一步',
    cell: ({ kind }) => (
      <>
        {wordsOf(kind).what}
        <span className="ht-wallet-coin-sub">{wordsOf(kind).next}</span>
      </>
    ),
  },
  { title: '数量', right: true, cell: ({ amount, unit }) => <Money value={amount} unit={unit} showPlus /> },
  { title: '记录', cell: (item) => <Record item={item} /> },
  {
    title: '交易哈希',
    cell: ({ txHash, explorer, network }) => (
      <>
        <Hash value={txHash} label="交易哈希" explorer={explorer} short />
        <span className="ht-wallet-coin-sub">{network}</span>
      </>
    ),
  },
];

const Record = ({ item }: { item: Row }) => {
  const target = targetOf(item);
  return target ? <TargetLink target={target} /> : <Hash value={item.no} label="平台单号" short />;
};

/** What only the ledger or only wallets count yet, oldest first. */
export const UnderWayTable = ({ items, unit }: { items: readonly UnderWayItem[]; unit: string }) => (
  <MiniTable
    label="在途"
    rows={items.map((item) => ({ ...item, unit }))}
    keyOf={({ kind, refId }) => `${kind} ${refId}`}
    empty="没有在途的款项"
    columns={columns}
  />
);
