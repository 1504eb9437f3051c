import type { FundDayRow } from '@hengtai/contract/report.schema';
import type { ChartColours } from '../../ui/chart-colours.ts';
import {
  amountAxis,
  barSeries,
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
        type: 'line',
        data: rows.map(({ closing }) => toChartNumber(closing)),
        showSymbol: rows.length === 1,
        lineStyle: { color: c.accent, width: 2 },
        itemStyle: { color: c.accent },
        emphasis: { disabled: true },
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
    series: [
      barSeries(
        c.up,
        rows.map((row) => toChartNumber(row.in)),
      ),
      barSeries(
        c.down,
        rows.map((row) => toChartNumber(row.out)),
      ),
    ],
  });
