import type { FundDayRow } from '@hengtai/contract/desk/report/schema';
import type { ChartColours } from '../../../ui/chart/chart-colours.ts';
import {
  amountAxis,
  inOutSeries,
  lineSeries,
  toChartNumber,
  chartFrame,
  dayAxis,
  roughNumber,
  chartTooltip,
} from '../../../ui/chart/chart-option.ts';
import { formatGrouped } from '../../../ui/value/decimal.ts';

export const balanceOption = (rows: readonly FundDayRow[], coin: string) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, rows),
    yAxis: amountAxis(c, roughNumber, { scale: true }),
    tooltip: chartTooltip(c, rows, ({ day, closing }) => [
      day,
      [{ name: '期末余额', value: `${formatGrouped(closing)} ${coin}`, series: 0 }],
    ]),
    series: [
      {
        ...lineSeries(
          c.accent,
          rows.map(({ closing }) => toChartNumber(closing)),
        ),
        showSymbol: rows.length === 1,
      },
    ],
  });

export const flowOption = (rows: readonly FundDayRow[], coin: string) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, rows),
    yAxis: amountAxis(c, roughNumber),
    tooltip: chartTooltip(c, rows, (row) => [
      row.day,
      [
        { name: '转入', value: `${formatGrouped(row.in)} ${coin}`, series: 0 },
        { name: '转出', value: `${formatGrouped(row.out)} ${coin}`, series: 1 },
      ],
    ]),
    series: inOutSeries(
      c,
      rows.map((row) => row.in),
      rows.map((row) => row.out),
    ),
  });
