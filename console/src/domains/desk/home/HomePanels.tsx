import type { HomeChart, HomeCoin, HomeDay } from '@hengtai/contract/desk/home/schema';
import { Suspense, useMemo } from 'react';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { ChartKey } from '../../../ui/chart/ChartKey.tsx';
import { ChartPanel, type FigureColumn } from '../../../ui/chart/ChartPanel.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { formatGrouped, sum } from '../../../ui/value/decimal.ts';
import type { HomeChartQuery } from './home-chart.ts';
import { dayKey, renderExact, formatCount, panelState, sumDays } from './panel.tsx';
import { coinsOption, selectChartCoins, flowOption } from './options.ts';
import { lazyComponent } from '../../../ui/page/lazy-component.tsx';

// Below the fold on most screens.
const LowerPanels = lazyComponent(async () => (await import('./LowerPanels.tsx')).LowerPanels);

/** The places of its panels, so that the page does not grow when they load. */
const lowerPlaces = [1, 2, 3, 4].map((place) => <div key={place} className="ht-chart-panel" />);

const NO_DAYS: readonly HomeDay[] = [];
const NO_COINS: readonly HomeCoin[] = [];

interface Props {
  query: HomeChartQuery;
}

/** The charts of the last thirty days, each with its table. */
export function HomePanels({ query }: Props) {
  return (
    <>
      <FlowPanel query={query} />
      <CoinPanel query={query} />
      <Suspense fallback={lowerPlaces}>
        <LowerPanels query={query} />
      </Suspense>
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
          <ChartKey token="--ht-up" name="充值" value={<Money value={deposited} digits={2} shortened />} />
          <ChartKey
            token="--ht-down"
            look="outline"
            name="提现"
            value={<Money value={withdrawn} digits={2} shortened />}
          />
          <span>
            净入金 <Money value={net} digits={2} shortened showPlus unit="USDT" />
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
            近 30 天 <Money value={net} digits={2} shortened showPlus unit="USDT" />
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
