import '../wallet-item.css';
import { wallet } from '@hengtai/contract/funds/wallet/calls';
import { openItemStates, walletItemCauses } from '@hengtai/contract/funds/wallet/item';
import type { WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import { useRead } from '../../../../api/hooks.ts';
import { QueryPlace } from '../../../../api/QueryPlace.tsx';
import { PageLink } from '../../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../../navigation/TargetLink.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { type MiniColumn, MiniTable } from '../../../../ui/table/MiniTable.tsx';
import { Hash } from '../../../../ui/value/Hash.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { Time } from '../../../../ui/value/Time.tsx';
import { nextStepOf } from '../item-words.ts';
import { differentLabels } from '../ItemSides.tsx';

const SHOWN = 10;
const REFETCH_MS = 30_000;

const columns: readonly MiniColumn<WalletItem>[] = [
  { title: '发现时间', nowrap: true, cell: ({ createdAt }) => <Time value={createdAt} short /> },
  {
    title: '差异与下一步',
    cell: (item) => (
      <>
        <PageLink to={`/wallet-item?open=${item.id}`}>{walletItemCauses[item.why]}</PageLink>
        {item.differs.length > 0 && (
          <strong className="ht-wallet-item-differs">{differentLabels(item).join('、')}不同</strong>
        )}
        <span className="ht-wallet-item-next">{nextStepOf(item)}</span>
      </>
    ),
  },
  {
    title: '链上流水',
    right: true,
    cell: ({ move }) =>
      move ? (
        <>
          <Money value={move.amount} unit={move.marketName} showPlus />
          <span className="ht-wallet-item-next ht-table-nowrap">
            <Hash value={move.no} label="链上流水单号" short />
          </span>
        </>
      ) : (
        '没有'
      ),
  },
  {
    title: '业务记录',
    right: true,
    cell: ({ record }) =>
      record ? (
        <>
          <Money value={record.amount} unit={record.marketName} showPlus />
          <span className="ht-wallet-item-next ht-table-nowrap">
            <TargetLink target={{ targetType: record.type, targetId: record.id }} />
          </span>
        </>
      ) : (
        '没有'
      ),
  },
];

/** What does not fit of a coin and waits for people: the oldest, each with its move, its record and the next step. */
export function OpenItems({ marketId }: { marketId: number }) {
  const states = openItemStates.join(',');
  const query = useRead(wallet.items, { marketId, states, size: SHOWN }, { refetchMs: REFETCH_MS });
  const { data } = query;
  return (
    <Section
      title="未处理的链上差异"
      aside={data && countText(data.total)}
      more={<PageLink to={`/wallet-item?marketId=${marketId}&states=${states}`}>全部</PageLink>}
    >
      {data ? (
        <MiniTable
          label="未处理的链上差异"
          rows={data.list}
          keyOf={({ id }) => id}
          empty="没有未处理的差异"
          columns={columns}
        />
      ) : (
        <QueryPlace query={query} isSmall>
          <span className="ht-page-skeleton-line" />
        </QueryPlace>
      )}
    </Section>
  );
}

const countText = (total: number): string => (total > SHOWN ? `最早的 ${SHOWN} 项，共 ${total} 项` : `共 ${total} 项`);
