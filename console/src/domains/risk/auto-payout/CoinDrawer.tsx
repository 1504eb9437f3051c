import { ABILITY } from '@hengtai/contract/authority/ability';
import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import { autoBudgetLabels } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCoinDetail, AutoVersion } from '@hengtai/contract/risk/auto-payout/schema';
import { useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { VersionList } from '../../../lists/VersionList.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { Causes } from './Causes.tsx';
import { CoinState } from './CoinLine.tsx';
import { Spent } from './Spent.tsx';
import { REFETCH_MS, budgetChanges, budgetFields, fieldText } from './words.ts';

interface Props {
  id: number | undefined;
  onClose: () => void;
}

/** One coin: its limits, today's sums, what demanded stops, and all versions of its budget. */
export function CoinDrawer({ id, onClose }: Props) {
  const found = useRead(autoPayout.detail, id === undefined ? undefined : { id }, { refetchMs: REFETCH_MS });
  return (
    <DetailDrawer
      open={id !== undefined}
      width={720}
      title={`自动打款：${found.data?.row.marketName ?? `#${id ?? ''}`}`}
      onClose={onClose}
      query={found}
    >
      {(detail) => <Content detail={detail} />}
    </DetailDrawer>
  );
}

function Content({ detail: { row, versions, causes } }: { detail: AutoCoinDetail }) {
  const { budget, marketId, marketName } = row;
  const canAudit = useCan(ABILITY.audit);
  return (
    <>
      <dl className="ht-value-details">
        <DetailItem label="状态">
          <CoinState coin={row} />
        </DetailItem>
        <DetailItem label="待复查">
          <PageLink to={`/withdraw?auto=2&marketId=${marketId}`}>{row.toReview ?? 0} 笔</PageLink>
        </DetailItem>
        <DetailItem label="今日数量">
          <Spent coin={row} of="amount" />
        </DetailItem>
        <DetailItem label="今日笔数">
          <Spent coin={row} of="count" />
        </DetailItem>
      </dl>
      {budget && (
        <Section title="额度" aside={`第 ${budget.version} 版，数量含手续费`}>
          <dl className="ht-value-details">
            {budgetFields.map((field) => (
              <DetailItem key={field} label={autoBudgetLabels[field]}>
                {fieldText(field, budget, marketName)}
              </DetailItem>
            ))}
          </dl>
        </Section>
      )}
      <Section
        title="暂停的起因"
        aside={latestText(causes.length, '次')}
        more={
          canAudit && <PageLink to={`/audit?targetType=autoPayout&targetId=${marketId}`}>暂停与恢复的审计记录</PageLink>
        }
      >
        <Causes causes={causes} />
      </Section>
      <Section title="额度的版本" aside={`共 ${versions.length} 版`}>
        <VersionList
          label="额度的历次版本"
          versions={versions}
          renderChanges={(version, before) => <Changes before={before} after={version} unit={marketName} />}
        />
      </Section>
    </>
  );
}

interface ChangesProps {
  before: AutoVersion | undefined;
  after: AutoVersion;
  unit: string;
}

const Changes = ({ before, after, unit }: ChangesProps) => (
  <ul>
    {budgetChanges(before ?? null, after, unit).map((change) => (
      <li key={change.field}>
        {autoBudgetLabels[change.field]}：{change.before === '--' ? change.after : `${change.before} → ${change.after}`}
        {change.before !== '--' && <span className="ht-value-faint">（{change.effect}）</span>}
      </li>
    ))}
  </ul>
);
