import type { HomeTradingDay } from '@hengtai/contract/desk/home/schema';
import type { ChartColours } from '../../../ui/chart/chart-colours.ts';
import {
  type TipLine,
  amountAxis,
  barSeries,
  signedSeries,
  toChartNumber,
  chartFrame,
  dayAxis,
  roughNumber,
  chartTooltip,
} from '../../../ui/chart/chart-option.ts';
import { formatGrouped, sum } from '../../../ui/value/decimal.ts';
import { withSign } from './options.ts';

/** Kinds of trading in the order of the chart, with their colours. */
export const TRADING_KINDS = [
  { kind: 'spot', name: '现货', token: '--ht-series-1', colour: 'series1' },
  { kind: 'future', name: '合约', token: '--ht-series-2', colour: 'series2' },
  { kind: 'second', name: '秒合约', token: '--ht-series-3', colour: 'series3' },
  { kind: 'ieo', name: '认购', token: '--ht-series-4', colour: 'series4' },
] as const;
export type TradingKind = (typeof TRADING_KINDS)[number]['kind'];

export const tradingOption = (days: readonly HomeTradingDay[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, days),
    yAxis: amountAxis(c, roughNumber),
    tooltip: chartTooltip(c, days, (day) => {
      const lines: TipLine[] = TRADING_KINDS.map(({ kind, name }, series) => {
        const { value, count } = day[kind];
        return { name, value: `${formatGrouped(value)} USDT · ${count.toLocaleString('en-US')} 笔`, series };
      });
      const { unpriced = 0 } = day.spot;
      // The value of these fills is unknown, so the bar is too low by it.
      if (unpriced > 0) lines.push({ name: '未计价', value: `现货 ${unpriced.toLocaleString('en-US')} 笔` });
      return [day.day, lines];
    }),
    series: TRADING_KINDS.map(({ kind, colour }) =>
      barSeries(
        c[colour],
        days.map((day) => toChartNumber(day[kind].value)),
        { stack: 'all', itemStyle: { color: c[colour] } },
      ),
    ),
  });

/** Profit of users on a day from futures and binary contracts, decimal string in USDT. */
export const resultOf = ({ future, second }: HomeTradingDay): string => sum([future.result, second.result]);

export const resultOption = (days: readonly HomeTradingDay[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, days, { axisLine: { onZero: false, lineStyle: { color: c.line } } }),
    yAxis: amountAxis(c, roughNumber),
    tooltip: chartTooltip(c, days, (day) => [
      day.day,
      [
        { name: '合约', value: `${withSign(day.future.result)} USDT` },
        { name: '秒合约', value: `${withSign(day.second.result)} USDT` },
        { name: '合计', value: `${withSign(resultOf(day))} USDT`, series: 0 },
      ],
    ]),
    series: signedSeries(c, days.map(resultOf)),
  });
