import { ABILITY } from '@hengtai/contract/ability';
import { autoPayout } from '@hengtai/contract/auto-payout';
import { autoBudgetLabels } from '@hengtai/contract/auto-payout-labels';
import type { AutoCoinDetail, AutoVersion } from '@hengtai/contract/auto-payout.schema';
import { useRead } from '../../api/hooks.ts';
import { useCan } from '../../api/me.ts';
import { DetailDrawer } from '../../lists/DetailDrawer.tsx';
import { operatorDetail } from '../../navigation/account-cells.tsx';
import { PageLink } from '../../navigation/PageLink.tsx';
import { DetailItem } from '../../ui/DetailItem.tsx';
import { Section, latestText } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
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
  const enabled = id !== undefined;
  const found = useRead(autoPayout.detail, { id: id ?? 0 }, { enabled, every: REFETCH_MS });
  return (
    <DetailDrawer
      open={enabled}
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
      <dl className="ht-details">
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
          <dl className="ht-details">
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
        <Versions versions={versions} unit={marketName} />
      </Section>
    </>
  );
}

/** Latest first; each with what it changed in the one before it. */
const Versions = ({ versions, unit }: { versions: readonly AutoVersion[]; unit: string }) => (
  <ol className="auto-versions" aria-label="额度的历次版本">
    {versions.map((version, index) => (
      <li key={version.version}>
        <p>
          <b>第 {version.version} 版</b>
          <span className="ht-faint">
            {' '}
            {operatorDetail(version.by)} · <Time value={version.createdAt} />
          </span>
        </p>
        <ul>
          {budgetChanges(versions[index + 1] ?? null, version, unit).map(({ field, before, after, effect }) => (
            <li key={field}>
              {autoBudgetLabels[field]}：{before === '--' ? after : `${before} → ${after}`}
              {before !== '--' && effect !== '' && <span className="ht-faint">（{effect}）</span>}
            </li>
          ))}
        </ul>
        {version.reason !== '' && <p>原因：{version.reason}</p>}
      </li>
    ))}
  </ol>
);
