import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColours } from './chart-colours.ts';
import { amountAxis, toChartNumber, nameAxis, roughNumber, chartTooltip } from './chart-option.ts';
import { formatGrouped } from '../value/decimal.ts';
import { formatTime } from '../value/zone.ts';

/** One candle. Amounts are decimal strings; `at` is its start in unix milliseconds. */
export interface Bar {
  at: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string | null;
}

/** A horizontal price line. */
export interface PriceLine {
  name: string;
  price: string;
  tone: 'limit' | 'quiet';
}

export interface CandleLook {
  bars: readonly Bar[];
  lines: readonly PriceLine[];
  zone: string;
  /** Candles are at least a day long, so the axis omits the time of day. */
  days: boolean;
}

/** Chart option for candles above their volume. Direction is shown by colour and repeated in the tooltip text. */
export const candleOption =
  ({ bars, lines, zone, days }: CandleLook) =>
  (c: ChartColours): EChartsCoreOption => {
    const times = bars.map(({ at }) => formatTime(at, zone));
    const labels = times.map((text) => (days ? text.slice(5, 10) : text.slice(5, 16)));
    return {
      textStyle: { fontFamily: c.font, color: c.text },
      grid: [
        { left: 8, right: 72, top: 12, bottom: '28%' },
        { left: 8, right: 72, top: '78%', bottom: 24 },
      ],
      xAxis: [
        nameAxis(c, labels, { axisLabel: { show: false } }),
        nameAxis(c, labels, { gridIndex: 1, axisLabel: { color: c.faint, fontSize: 12, hideOverlap: true } }),
      ],
      yAxis: [
        amountAxis(c, priceText, {
          position: 'right',
          ...valueRange(bars, lines),
          axisLabel: { color: c.faint, fontSize: 12, formatter: priceText, showMinLabel: false, showMaxLabel: false },
        }),
        amountAxis(c, roughNumber, { gridIndex: 1, position: 'right', splitNumber: 1, splitLine: { show: false } }),
      ],
      dataZoom: [{ type: 'inside', xAxisIndex: [0, 1], minValueSpan: 12 }],
      tooltip: chartTooltip(c, bars, (bar, index) => [times[index] ?? '', tooltipLines(bar)]),
      series: [
        {
          type: 'candlestick',
          data: bars.map(({ open, close, low, high }) => [open, close, low, high].map(toChartNumber)),
          itemStyle: { color: c.up, color0: c.down, borderColor: c.up, borderColor0: c.down },
          barMaxWidth: 14,
          markLine: {
            silent: true,
            symbol: 'none',
            animation: false,
            data: lines.map(({ name, price, tone }) => ({
              yAxis: toChartNumber(price),
              lineStyle: {
                color: tone === 'limit' ? c.warn : c.faint,
                type: tone === 'limit' ? 'solid' : 'dashed',
                width: 1,
              },
              label: {
                position: 'insideStartTop',
                color: tone === 'limit' ? c.warn : c.label,
                formatter: `${name} ${formatGrouped(price)}`,
              },
            })),
          },
        },
        {
          type: 'bar',
          xAxisIndex: 1,
          yAxisIndex: 1,
          barMaxWidth: 14,
          data: bars.map(({ volume, open, close }) => ({
            value: volume === null ? null : toChartNumber(volume),
            itemStyle: { color: toChartNumber(close) < toChartNumber(open) ? c.down : c.up, opacity: 0.55 },
          })),
        },
      ],
    };
  };

const tooltipLines = (bar: Bar) => [
  { name: '开', value: formatGrouped(bar.open) },
  { name: '高', value: formatGrouped(bar.high) },
  { name: '低', value: formatGrouped(bar.low) },
  { name: '收', value: formatGrouped(bar.close) },
  { name: '量', value: bar.volume === null ? '--' : formatGrouped(bar.volume) },
];

/** Value range for candles and lines; distant lines are dropped, so that the candles stay readable. */
function valueRange(bars: readonly Bar[], lines: readonly PriceLine[]): { min?: number; max?: number } {
  if (bars.length === 0) return {};
  const low = Math.min(...bars.map((bar) => toChartNumber(bar.low)));
  const high = Math.max(...bars.map((bar) => toChartNumber(bar.high)));
  const span = Math.max(high - low, high * 0.002);
  const nearPrices = lines
    .map(({ price }) => toChartNumber(price))
    .filter((price) => price > low - span * 4 && price < high + span * 4);
  const [from, to] = [Math.min(low, ...nearPrices), Math.max(high, ...nearPrices)];
  const padding = (to - from || span) * 0.06;
  return { min: from - padding, max: to + padding };
}

/** Price with few digits, for the axis. */
function priceText(value: number): string {
  const digits = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 2 : 4;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
