import type { FundDayRow } from '@hengtai/contract/report.schema';
import type { ChartColours } from '../../ui/chart-colours.ts';
import {
  amountAxis,
  inOutSeries,
  lineSeries,
  toChartNumber,
  chartFrame,
  nameAxis,
  roughNumber,
  chartTooltip,
} from '../../ui/chart-option.ts';
import { formatGrouped } from '../../ui/decimal.ts';

/** `03-08`. The table has the year. */
const shortDays = (rows: readonly FundDayRow[]): string[] => rows.map(({ day }) => day.slice(5));

const dayTooltip = (
  c: ChartColours,
  rows: readonly FundDayRow[],
  lines: (row: FundDayRow) => readonly [string, string][],
) =>
  chartTooltip(c, (index) => {
    const row = rows[index];
    return row ? [row.day, lines(row).map(([name, value], series) => ({ name, value, series }))] : ['', []];
  });

export const balanceOption = (rows: readonly FundDayRow[], coin: string) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: nameAxis(c, shortDays(rows)),
    yAxis: amountAxis(c, roughNumber, { scale: true }),
    tooltip: dayTooltip(c, rows, (row) => [['期末余额', `${formatGrouped(row.closing)} ${coin}`]]),
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
    xAxis: nameAxis(c, shortDays(rows)),
    yAxis: amountAxis(c, roughNumber),
    tooltip: dayTooltip(c, rows, (row) => [
      ['转入', `${formatGrouped(row.in)} ${coin}`],
      ['转出', `${formatGrouped(row.out)} ${coin}`],
    ]),
    series: inOutSeries(
      c,
      rows.map((row) => row.in),
      rows.map((row) => row.out),
    ),
  });
