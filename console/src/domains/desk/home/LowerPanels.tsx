import type { HomeChart, HomeDay } from '@hengtai/contract/desk/home/schema';
import { useMemo } from 'react';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { ChartKey } from '../../../ui/chart/ChartKey.tsx';
import { ChartPanel, type FigureColumn } from '../../../ui/chart/ChartPanel.tsx';
import { exactDuration, roughDuration } from '../../../ui/value/duration.ts';
import { TradingPanels } from './TradingPanels.tsx';
import type { HomeChartQuery } from './home-chart.ts';
import { reviewOption, usersOption } from './lower-options.ts';
import { dayKey, formatCount, panelState, sumDays } from './panel.tsx';

const NO_DAYS: readonly HomeDay[] = [];

interface Props {
  query: HomeChartQuery;
}

/** The charts below those of recharges and withdrawals. */
export function LowerPanels({ query }: Props) {
  return (
    <>
      <TradingPanels />
      <UserPanel query={query} />
      <ReviewPanel query={query} />
    </>
  );
}

const userColumns: readonly FigureColumn<HomeDay>[] = [
  { title: '日期', text: dayKey },
  { title: '新增用户', right: true, text: (d) => String(d.users), cell: (d) => formatCount(d.users) },
];

function UserPanel({ query }: Props) {
  const days = query.data?.days ?? NO_DAYS;
  const option = useMemo(() => usersOption(days), [days]);
  const all = formatCount(sumDays(days, ({ users }) => users));
  return (
    <ChartPanel
      title="新增用户"
      note={<span>近 30 天 {all} 人</span>}
      rows={query.data?.days.toReversed()}
      keyOf={dayKey}
      columns={userColumns}
      foot={['合计', all]}
      empty={all === '0' ? '近 30 天没有新用户。' : undefined}
      {...panelState(query)}
    >
      <Chart option={option} label={`近 30 天每日新增用户的柱状图：合计 ${all} 人`} />
    </ChartPanel>
  );
}

const durationText = (ms: number | null): string => (ms === null ? '--' : exactDuration(ms));

const reviewColumns: readonly FigureColumn<HomeDay>[] = [
  { title: '日期', text: dayKey },
  { title: '审核笔数', right: true, text: (d) => String(d.review.count), cell: (d) => formatCount(d.review.count) },
  { title: '中位数', right: true, text: (d) => durationText(d.review.median) },
  { title: '90分位', right: true, text: (d) => durationText(d.review.p90) },
];

function ReviewPanel({ query }: Props) {
  const days = query.data?.days ?? NO_DAYS;
  const option = useMemo(() => reviewOption(days), [days]);
  const all = formatCount(sumDays(days, ({ review }) => review.count));
  return (
    <ChartPanel
      title="提现审核等待时长"
      note={
        <>
          <ChartKey token="--ht-accent" look="line" name="中位数" />
          <ChartKey token="--ht-warn" look="dash" name="90分位" />
          {query.data && <Waiting chart={query.data} />}
        </>
      }
      rows={query.data?.days.toReversed()}
      keyOf={dayKey}
      columns={reviewColumns}
      empty={all === '0' ? '近 30 天没有审核过提现。' : undefined}
      {...panelState(query)}
    >
      <Chart option={option} label={`近 30 天提现从申请到审核等待时长的折线图：共审核 ${all} 笔`} />
    </ChartPanel>
  );
}

/** Pending withdrawals at the time of the chart data. */
function Waiting({ chart: { waiting, at } }: { chart: HomeChart }) {
  if (waiting.count === 0 || waiting.oldestAt === null) return <span>现无待审核</span>;
  const oldest = Math.max(at - waiting.oldestAt, 0);
  return (
    <span title={`待审核 ${formatCount(waiting.count)} 笔，最久已等 ${exactDuration(oldest)}`}>
      待审核 {formatCount(waiting.count)} 笔，最久 {roughDuration(oldest)}
    </span>
  );
}
