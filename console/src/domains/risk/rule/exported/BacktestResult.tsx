import type { BacktestResult as Result } from '@hengtai/contract/risk/rule/schema';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import { useMemo } from 'react';
import { useMe } from '../../../../api/me.ts';
import { userAccount } from '../../../../navigation/account-cells.tsx';
import { PageLink } from '../../../../navigation/PageLink.tsx';
import { Chart } from '../../../../ui/chart/Chart.tsx';
import { ChartPanel, type FigureColumn } from '../../../../ui/chart/ChartPanel.tsx';
import { DetailItem } from '../../../../ui/value/DetailItem.tsx';
import { type MiniColumn, MiniTable } from '../../../../ui/table/MiniTable.tsx';
import { Money } from '../../../../ui/value/Money.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { StateTag } from '../../../../ui/value/StateTag.tsx';
import { Time } from '../../../../ui/value/Time.tsx';
import type { ChartColours } from '../../../../ui/chart/chart-colours.ts';
import {
  amountAxis,
  barSeries,
  chartFrame,
  chartTooltip,
  dayAxis,
  roughNumber,
} from '../../../../ui/chart/chart-option.ts';
import { roughDuration } from '../../../../ui/value/duration.ts';
import { dayOf, dayText } from '../../../../ui/value/zone.ts';

const MINUTE_MS = 60_000;

const countText = (count: number): string => `${count.toLocaleString('en-US')} 笔`;
const minutesText = (minutes: number | null): string =>
  minutes === null ? '--' : minutes === 0 ? '不到 1 分' : roughDuration(minutes * MINUTE_MS);

type Hit = Result['newest'][number];

const hitColumns: readonly MiniColumn<Hit>[] = [
  { title: '编号', nowrap: true, cell: ({ id }) => <PageLink to={`/withdraw?open=${id}`}>#{id}</PageLink> },
  { title: '账号', cell: ({ account, userId }) => userAccount(account, userId) },
  { title: '数量', right: true, cell: ({ amount, marketName }) => <Money value={amount} unit={marketName} /> },
  { title: '估值(USDT)', right: true, cell: ({ valuation }) => <Money value={valuation} digits={2} shortened /> },
  {
    title: '现在的状态',
    nowrap: true,
    cell: ({ state }) => <StateTag state={state} labels={withdrawStates} />,
  },
  { title: '申请时间', nowrap: true, cell: ({ createdAt }) => <Time value={createdAt} near /> },
];

const ruleColumns: readonly MiniColumn<Result['rules'][number]>[] = [
  { title: '规则', cell: ({ name }) => (name === '' ? '表单中的规则' : name) },
  { title: '命中', right: true, cell: ({ hits }) => countText(hits) },
];

/** What the rules would have hit, and what reviewers decided about it. */
export function BacktestResult({ result }: { result: Result }) {
  const { rules, newest, complete } = result;
  return (
    <>
      {!complete && <p className="ht-value-warn">历史提现的事实尚未补齐，结果不完整。</p>}
      <Totals result={result} />
      {rules.length > 1 && (
        <Section title="各条规则" aside="一笔提现可同时命中多条">
          <MiniTable
            label="各条规则的命中"
            rows={rules}
            keyOf={({ id }) => id ?? 'draft'}
            columns={ruleColumns}
            empty="没有规则"
          />
        </Section>
      )}
      <HitDays result={result} />
      <Section title="最新的命中" aside={newest.length < result.hits ? `最近 ${newest.length} 笔` : undefined}>
        <MiniTable
          label="最新的命中"
          rows={newest}
          keyOf={({ id }) => id}
          columns={hitColumns}
          empty="这段时间没有命中"
        />
      </Section>
    </>
  );
}

function Totals({ result }: { result: Result }) {
  const { total, hits, unknown, passed, rejected, cancelled, open, precision, held, unpriced } = result;
  return (
    <dl className="ht-value-details ht-rule-totals" aria-label="回测合计">
      <DetailItem label="提现">{countText(total)}</DetailItem>
      <DetailItem label="命中">
        <b>{countText(hits)}</b>
        {unknown > 0 && <span className="ht-value-faint"> 其中 {countText(unknown)}因条件未知</span>}
      </DetailItem>
      <DetailItem label="审核通过">{countText(passed)}</DetailItem>
      <DetailItem label="审核驳回">{countText(rejected)}</DetailItem>
      <DetailItem label="用户撤销">{countText(cancelled)}</DetailItem>
      <DetailItem label="尚未审核">{countText(open)}</DetailItem>
      <DetailItem label="准确率">
        {precision === null ? '--' : `${precision}%`}
        <span className="ht-value-faint"> 驳回占已审核的命中</span>
      </DetailItem>
      <DetailItem label="拦下金额">
        <Money value={held} unit="USDT" digits={2} shortened />
        {unpriced > 0 && <span className="ht-value-faint"> 另有 {countText(unpriced)}没有价格</span>}
      </DetailItem>
      <DetailItem label="增加的审核时间">{minutesText(result.addedMinutes)}</DetailItem>
      <DetailItem label="审核用时中位数">{minutesText(result.reviewMinutes)}</DetailItem>
    </dl>
  );
}

interface HitDay {
  day: string;
  hits: number;
}

const dayColumns: readonly FigureColumn<HitDay>[] = [
  { title: '日期', text: ({ day }) => day },
  { title: '命中', right: true, text: ({ hits }) => String(hits) },
];

const daysOption = (days: readonly HitDay[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, days),
    yAxis: amountAxis(c, roughNumber, { minInterval: 1 }),
    tooltip: chartTooltip(c, days, ({ day, hits }) => [day, [{ name: '命中', value: countText(hits), series: 0 }]]),
    series: [
      barSeries(
        c.accent,
        days.map(({ hits }) => hits),
      ),
    ],
  });

/** Days are those of the reports. */
function HitDays({ result: { days, hits } }: { result: Result }) {
  const { zone } = useMe();
  const rows = useMemo(() => days.map(({ at, ...day }) => ({ ...day, day: dayText(dayOf(at, zone)) })), [days, zone]);
  const option = useMemo(() => daysOption(rows), [rows]);
  if (rows.length === 0) return null;
  return (
    <ChartPanel
      title="每日命中"
      rows={rows}
      keyOf={({ day }) => day}
      columns={dayColumns}
      empty={undefined}
      error={undefined}
      onRetry={() => undefined}
    >
      <Chart option={option} label={`每日命中的柱状图：${rows.length} 天共 ${countText(hits)}`} />
    </ChartPanel>
  );
}
