import { home } from '@hengtai/contract/desk/home/calls';
import type { HomeTradingDay } from '@hengtai/contract/desk/home/schema';
import { useMemo } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { usePageActive } from '../../../navigation/page-route.ts';
import { Chart } from '../../../ui/chart/Chart.tsx';
import { ChartKey } from '../../../ui/chart/ChartKey.tsx';
import { ChartPanel, type FigureColumn } from '../../../ui/chart/ChartPanel.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { formatGrouped, sum } from '../../../ui/value/decimal.ts';
import { useChartRefetchMs } from './chart-refetch.ts';
import { dayKey, renderExact, formatCount, panelState, sumDays } from './panel.tsx';
import { TRADING_KINDS, type TradingKind, resultOf, resultOption, tradingOption } from './trading-options.ts';

const NO_DAYS: readonly HomeTradingDay[] = [];

/** Turnover of the last thirty days and the profit of users. */
export function TradingPanels() {
  const active = usePageActive();
  const refetchMs = useChartRefetchMs();
  const query = useRead(home.trading, {}, { refetchMs: active && refetchMs });
  const days = query.data?.days ?? NO_DAYS;
  const rows = useMemo(() => query.data?.days.toReversed(), [query.data]);
  return (
    <>
      <Turnover days={days} rows={rows} state={panelState(query)} />
      <Results days={days} rows={rows} state={panelState(query)} />
    </>
  );
}

interface Props {
  days: readonly HomeTradingDay[];
  rows: readonly HomeTradingDay[] | undefined;
  state: ReturnType<typeof panelState>;
}

const turnoverColumns: readonly FigureColumn<HomeTradingDay>[] = [
  { title: '日期', text: dayKey },
  ...TRADING_KINDS.flatMap(({ kind, name }): FigureColumn<HomeTradingDay>[] => [
    { title: `${name}(USDT)`, right: true, text: (d) => d[kind].value, cell: (d) => renderExact(d[kind].value) },
    { title: `${name}笔数`, right: true, text: (d) => String(d[kind].count), cell: (d) => formatCount(d[kind].count) },
  ]),
];
const unpricedOf = ({ spot }: HomeTradingDay): number => spot.unpriced ?? 0;
const unpricedColumn: FigureColumn<HomeTradingDay> = {
  title: '未计价笔数',
  right: true,
  text: (d) => String(unpricedOf(d)),
  cell: (d) => formatCount(unpricedOf(d)),
};

function Turnover({ days, rows, state }: Props) {
  const option = useMemo(() => tradingOption(days), [days]);
  const sumOf = (kind: TradingKind) => sum(days.map((day) => day[kind].value));
  const countOf = (kind: TradingKind) => sumDays(days, (day) => day[kind].count);
  const hasData = TRADING_KINDS.some(({ kind }) => countOf(kind) > 0);
  const unpriced = sumDays(days, unpricedOf);
  const foot = TRADING_KINDS.flatMap(({ kind }) => [renderExact(sumOf(kind)), formatCount(countOf(kind))]);
  return (
    <ChartPanel
      title="30天交易额"
      note={
        <>
          {TRADING_KINDS.map(({ kind, name, token }) => (
            <ChartKey key={kind} token={token} name={name} value={<Money value={sumOf(kind)} digits={0} shortened />} />
          ))}
          {unpriced > 0 && <span title="计价币没有价格，未计入交易额">未计价 {formatCount(unpriced)} 笔</span>}
        </>
      }
      rows={rows}
      keyOf={dayKey}
      columns={unpriced > 0 ? [...turnoverColumns, unpricedColumn] : turnoverColumns}
      foot={['合计', ...foot, ...(unpriced > 0 ? [formatCount(unpriced)] : [])]}
      empty={hasData ? undefined : '近 30 天没有成交、开仓、秒合约或通过的认购。'}
      {...state}
    >
      <Chart
        option={option}
        label={`近 30 天每日交易额的堆叠柱状图：${TRADING_KINDS.map(({ kind, name }) => `${name} ${formatGrouped(sumOf(kind))} USDT`).join('，')}`}
      />
    </ChartPanel>
  );
}

const resultColumns: readonly FigureColumn<HomeTradingDay>[] = [
  { title: '日期', text: dayKey },
  { title: '合约(USDT)', right: true, text: (d) => d.future.result, cell: (d) => renderExact(d.future.result, true) },
  { title: '秒合约(USDT)', right: true, text: (d) => d.second.result, cell: (d) => renderExact(d.second.result, true) },
  { title: '合计(USDT)', right: true, text: resultOf, cell: (d) => renderExact(resultOf(d), true) },
];

function Results({ days, rows, state }: Props) {
  const option = useMemo(() => resultOption(days), [days]);
  const all = sum(days.map(resultOf));
  const [future, second] = [sum(days.map((day) => day.future.result)), sum(days.map((day) => day.second.result))];
  const hasData = days.some((day) => day.future.result !== '0' || day.second.result !== '0');
  return (
    <ChartPanel
      title="用户交易盈亏"
      note={
        <span>
          近 30 天 <Money value={all} digits={2} shortened showPlus unit="USDT" />
        </span>
      }
      rows={rows}
      keyOf={dayKey}
      columns={resultColumns}
      foot={['合计', renderExact(future, true), renderExact(second, true), renderExact(all, true)]}
      empty={hasData ? undefined : '近 30 天没有平仓，也没有结算的秒合约。'}
      {...state}
    >
      <Chart
        option={option}
        label={`近 30 天用户每日交易盈亏的柱状图：合约 ${formatGrouped(future)} USDT，秒合约 ${formatGrouped(second)} USDT`}
      />
    </ChartPanel>
  );
}
