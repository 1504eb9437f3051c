import type { FutureExposure, FutureHeat } from '@hengtai/contract/trading/future/schema';
import type { ChartColours } from '../../../ui/chart/chart-colours.ts';
import {
  amountAxis,
  toChartNumber,
  chartFrame,
  nameAxis,
  roughNumber,
  chartTooltip,
} from '../../../ui/chart/chart-option.ts';
import { formatGrouped } from '../../../ui/value/decimal.ts';

const bar = (color: string, data: readonly number[], more: object = {}) => ({
  type: 'bar',
  data: [...data],
  itemStyle: { color, borderRadius: [2, 2, 0, 0] },
  barMaxWidth: 22,
  emphasis: { disabled: true },
  ...more,
});

const usdt = (value: string | null): string => (value === null ? '--' : `${formatGrouped(value)} USDT`);

/** Bar chart with the long and short notional of each market side by side. */
export const exposureOption = (rows: readonly FutureExposure[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: nameAxis(
      c,
      rows.map(({ marketName }) => marketName),
    ),
    yAxis: amountAxis(c, roughNumber),
    tooltip: chartTooltip(c, rows, (row) => [
      row.marketName,
      [
        { name: '做多', value: `${usdt(row.long.notional)} · ${row.long.positions} 仓`, series: 0 },
        { name: '做空', value: `${usdt(row.short.notional)} · ${row.short.positions} 仓`, series: 1 },
        { name: '净敞口', value: usdt(row.netNotional) },
      ],
    ]),
    series: [
      bar(
        c.up,
        rows.map(({ long }) => toChartNumber(long.notional ?? '0')),
      ),
      bar(
        c.down,
        rows.map(({ short }) => toChartNumber(short.notional ?? '0')),
      ),
    ],
  });

/** Stacked bar chart of the notional that would be liquidated in each price band. */
export const heatOption = (heat: FutureHeat) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: nameAxis(
      c,
      heat.bands.map(({ from }) => formatGrouped(from)),
    ),
    yAxis: amountAxis(c, roughNumber),
    tooltip: chartTooltip(c, heat.bands, (band) => {
      const side = ({ notional, positions }: typeof band.long) => `${usdt(notional)} · ${positions} 仓`;
      return [
        `${formatGrouped(band.from)} – ${formatGrouped(band.to)}`,
        [
          { name: '多仓强平', value: side(band.long), series: 0 },
          { name: '空仓强平', value: side(band.short), series: 1 },
        ],
      ];
    }),
    series: [
      bar(
        c.up,
        heat.bands.map(({ long }) => toChartNumber(long.notional)),
        { stack: 'heat', barCategoryGap: '10%' },
      ),
      bar(
        c.down,
        heat.bands.map(({ short }) => toChartNumber(short.notional)),
        { stack: 'heat' },
      ),
    ],
  });
