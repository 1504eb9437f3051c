import { REPORT_DAYS, report } from '@hengtai/contract/desk/report/calls';
import type { FundDaySum } from '@hengtai/contract/desk/report/schema';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { useRead } from '../../../api/hooks.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';

const STALE_TIME_MS = 30_000;

interface CoinMoney {
  marketId: number;
  marketName: string;
  closing: string;
  flows: FundDaySum | undefined;
}

const flow = (title: string, field: 'rechargeIn' | 'withdrawOut' | 'in' | 'out'): MiniColumn<CoinMoney> => ({
  title,
  right: true,
  cell: ({ flows }) => <Money value={flows?.[field] ?? '0'} />,
});

const columns: readonly MiniColumn<CoinMoney>[] = [
  { title: '币种', nowrap: true, cell: ({ marketName }) => marketName },
  { title: '当前余额', right: true, cell: ({ closing }) => <Money value={closing} /> },
  flow('充值', 'rechargeIn'),
  flow('提现', 'withdrawOut'),
  flow('转入合计', 'in'),
  flow('转出合计', 'out'),
];

/** 资金: what the users of a branch hold, and what came in and went out lately, as in the report of funds. */
export function MoneySection({ account }: { account: string }) {
  const now = useRead(report.fetchCurrentFunds, { agent: account }, { staleTime: STALE_TIME_MS });
  const days = useRead(report.fund, { agent: account, size: 1 }, { staleTime: STALE_TIME_MS });
  const [failed] = [now, days].filter(({ data }) => !data);
  return (
    <Section
      title="资金"
      aside={`全部下级用户；收支为最近 ${REPORT_DAYS} 天`}
      more={<PageLink to={`/report?agent=${encodeURIComponent(account)}`}>资金报表</PageLink>}
    >
      {now.data && days.data ? (
        <MiniTable
          label="资金"
          rows={now.data.coins.map(({ marketId, marketName, closing }) => ({
            marketId,
            marketName,
            closing,
            flows: days.data?.summary?.find((sum) => sum.marketId === marketId),
          }))}
          keyOf={({ marketId }) => marketId}
          columns={columns}
          empty="没有资金变动"
        />
      ) : (
        failed && (
          <QueryPlace query={failed} isSmall>
            <span className="ht-page-skeleton-line" />
          </QueryPlace>
        )
      )}
    </Section>
  );
}
