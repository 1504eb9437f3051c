import { identityLevels, withdrawStateLabels, withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { UserLimits as Limits } from '@hengtai/contract/risk/withdraw-limit/schema';
import { useRead } from '../../../../api/hooks.ts';
import { type MiniColumn, MiniTable } from '../../../../ui/table/MiniTable.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { feeText, termText } from '../words.ts';
import { QueryPlace } from '../../../../api/QueryPlace.tsx';

type Coin = Limits['coins'][number];

const columns: readonly MiniColumn<Coin>[] = [
  { title: '币种', nowrap: true, cell: ({ marketName }) => marketName },
  { title: '提现', nowrap: true, cell: ({ withdrawState }) => withdrawStateLabels[withdrawState] },
  {
    title: '单笔',
    right: true,
    cell: (coin) =>
      `${termText('singleMin', coin.singleMin, '')} 至 ${termText('singleMax', coin.singleMax, coin.marketName)}`,
  },
  {
    title: '今日已用 / 每日额度',
    right: true,
    cell: (coin) =>
      `${termText('singleMin', coin.usedAmount, '')} / ${termText('dayAmount', coin.dayAmount, coin.marketName)}`,
  },
  { title: '今日笔数', right: true, cell: (coin) => `${coin.usedCount} / ${termText('dayCount', coin.dayCount, '')}` },
  { title: '手续费', right: true, cell: (coin) => feeText(coin, coin.marketName) },
];

/** What a user may withdraw of each coin that has limits of levels or groups. */
export function UserLimits({ userId }: { userId: number }) {
  const query = useRead(withdrawLimit.user, { id: userId });
  const { data } = query;
  return (
    <Section
      title="提现限额"
      aside={data && `${identityLevels[data.level]}${data.userGroup === null ? '' : ` · ${data.userGroup}`}`}
    >
      {data ? (
        <MiniTable
          label="提现限额"
          rows={data.coins}
          keyOf={({ marketId }) => marketId}
          columns={columns}
          empty="没有按认证等级或用户组设置的限额，按各币种的设置"
          isMarked={({ withdrawState }) => withdrawState === 0}
        />
      ) : (
        <QueryPlace query={query} isSmall>
          <span className="ht-page-skeleton-line" />
        </QueryPlace>
      )}
    </Section>
  );
}
