import { home } from '@hengtai/contract/home';
import type { HomeChart, HomeCoin, HomeDay } from '@hengtai/contract/home.schema';
import { Suspense, lazy, useMemo } from 'react';
import { useRead } from '../../api/hooks.ts';
import { usePageActive } from '../../navigation/page-route.ts';
import { Chart } from '../../ui/Chart.tsx';
import { ChartKey } from '../../ui/ChartKey.tsx';
import { ChartPanel, type FigureColumn } from '../../ui/ChartPanel.tsx';
import { Money } from '../../ui/Money.tsx';
import { formatGrouped, sum } from '../../ui/decimal.ts';
import { exactDuration, roughDuration } from '../../ui/duration.ts';
import { useChartPace } from './chart-pace.ts';
import { dayKey, renderExact, formatCount, panelState, sumDays } from './panel.tsx';
import { coinsOption, selectChartCoins, flowOption, reviewOption, usersOption } from './options.ts';

// Below the fold on most screens.
const TradingPanels = lazy(async () => ({ default: (await import('./TradingPanels.tsx')).TradingPanels }));

/** The places of the two panels, so that the grid does not move when they load. */
const tradingPlaces = (
  <>
    <div className="ht-panel" />
    <div className="ht-panel" />
  </>
);

const NOTHING = {};
const NO_DAYS: readonly HomeDay[] = [];
const NO_COINS: readonly HomeCoin[] = [];

/** Loads the chart data of the last thirty days, more often while history is imported. */
export function useHomeChart() {
  const active = usePageActive();
  const every = useChartPace();
  return useRead(home.chart, NOTHING, { every: active && every });
}

type HomeChartQuery = ReturnType<typeof useHomeChart>;

interface Props {
  query: HomeChartQuery;
}

/** The charts of the last thirty days, each with its table. */
export function HomePanels({ query }: Props) {
  return (
    <>
      <FlowPanel query={query} />
      <CoinPanel query={query} />
      <Suspense fallback={tradingPlaces}>
        <TradingPanels />
      </Suspense>
      <UserPanel query={query} />
      <ReviewPanel query={query} />
    </>
  );
}

/** Table rows start with the latest day. */
const latestFirst = (chart: HomeChart | undefined) => chart && chart.days.toReversed();

const flowColumns: readonly FigureColumn<HomeDay>[] = [
  { title: '日期', text: dayKey },
  { title: '充值(USDT)', right: true, text: (d) => d.recharge.value, cell: (d) => renderExact(d.recharge.value) },
  { title: '充值笔数', right: true, text: (d) => String(d.recharge.count), cell: (d) => formatCount(d.recharge.count) },
  { title: '提现(USDT)', right: true, text: (d) => d.withdraw.value, cell: (d) => renderExact(d.withdraw.value) },
  { title: '提现笔数', right: true, text: (d) => String(d.withdraw.count), cell: (d) => formatCount(d.withdraw.count) },
  { title: '净入金(USDT)', right: true, text: (d) => d.net, cell: (d) => renderExact(d.net, true) },
];

function FlowPanel({ query }: Props) {
  const days = query.data?.days ?? NO_DAYS;
  const option = useMemo(() => flowOption(days), [days]);
  const deposited = sum(days.map(({ recharge }) => recharge.value));
  const withdrawn = sum(days.map(({ withdraw }) => withdraw.value));
  const net = sum(days.map((day) => day.net));
  const hasFlow = sumDays(days, ({ recharge, withdraw }) => recharge.count + withdraw.count) > 0;
  return (
    <ChartPanel
      title="30天充值与提现"
      note={
        <>
          <ChartKey token="--ht-up" name="充值" value={<Money value={deposited} digits={2} rough />} />
          <ChartKey token="--ht-down" look="outline" name="提现" value={<Money value={withdrawn} digits={2} rough />} />
          <span>
            净入金 <Money value={net} digits={2} rough sign unit="USDT" />
          </span>
          <span>含计入报表的资产调整</span>
        </>
      }
      rows={latestFirst(query.data)}
      keyOf={dayKey}
      columns={flowColumns}
      foot={[
        '合计',
        renderExact(deposited),
        formatCount(sumDays(days, ({ recharge }) => recharge.count)),
        renderExact(withdrawn),
        formatCount(sumDays(days, ({ withdraw }) => withdraw.count)),
        renderExact(net, true),
      ]}
      empty={hasFlow ? undefined : '近 30 天没有到账的充值，也没有完成的提现。'}
      {...panelState(query)}
    >
      <Chart
        option={option}
        label={`近 30 天每日充值与提现的柱状图：充值合计 ${formatGrouped(deposited)} USDT，提现合计 ${formatGrouped(withdrawn)} USDT`}
      />
    </ChartPanel>
  );
}

const coinColumns: readonly FigureColumn<HomeCoin>[] = [
  { title: '币种', text: ({ marketName }) => marketName },
  { title: '充值', right: true, text: (coin) => coin.recharge, cell: (coin) => renderExact(coin.recharge) },
  { title: '提现', right: true, text: (coin) => coin.withdraw, cell: (coin) => renderExact(coin.withdraw) },
  { title: '净入金', right: true, text: (coin) => coin.net, cell: (coin) => renderExact(coin.net, true) },
  {
    title: '折合(USDT)',
    right: true,
    text: (coin) => coin.value ?? '--',
    cell: (coin) => renderExact(coin.value, true),
  },
];

function CoinPanel({ query }: Props) {
  const coins = query.data?.coins ?? NO_COINS;
  const option = useMemo(() => coinsOption(coins), [coins]);
  // Sums the days like the panel next to it. Summing rounded coin values could differ by some cents.
  const net = sum((query.data?.days ?? NO_DAYS).map((day) => day.net));
  const drawn = selectChartCoins(coins).length;
  const empty =
    coins.length === 0 ? '近 30 天没有资金进出。' : drawn === 0 ? '这些币种还没有价格，数量见表格。' : undefined;
  return (
    <ChartPanel
      title="各币种净入金"
      note={
        <>
          <span>
            近 30 天 <Money value={net} digits={2} rough sign unit="USDT" />
          </span>
          {drawn < coins.length && drawn > 0 && (
            <span>
              图中 {drawn} 种，表格全部 {coins.length} 种
            </span>
          )}
        </>
      }
      rows={query.data?.coins}
      keyOf={({ marketId }) => marketId}
      columns={coinColumns}
      empty={empty}
      {...panelState(query)}
    >
      <Chart option={option} label={`近 30 天各币种净入金的条形图：合计 ${formatGrouped(net)} USDT`} />
    </ChartPanel>
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
      rows={latestFirst(query.data)}
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
      rows={latestFirst(query.data)}
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
