import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColours } from './chart-colours.ts';

/** A line of a tooltip. */
export interface TipLine {
  name: string;
  value: string;
  /** Index of the series whose colour marks the line. */
  series?: number;
}

interface TipParam {
  dataIndex: number;
  seriesIndex: number;
  marker: string;
}

/** Escapes `{`, `}` and `|`, which are syntax in canvas rich text; coin names may contain them. */
const escapeText = (text: string): string => text.replaceAll(/[{}|]/g, ' ');

/** Spaces as wide as a series marker. */
const MARKER_WIDE = '\u3000 ';

/** Pads the names so that the values align. */
function tipText(title: string, lines: readonly TipLine[], params: readonly TipParam[]): string {
  const longest = Math.max(...lines.map(({ name }) => name.length));
  const rows = lines.map(({ name, value, series }) => {
    const marker = params.find(({ seriesIndex }) => seriesIndex === series)?.marker ?? MARKER_WIDE;
    return `${marker}${escapeText(name).padEnd(longest, '\u3000')}\u3000${escapeText(value)}`;
  });
  return [escapeText(title), ...rows].join('\n');
}

/**
 * Tooltip option, drawn on the canvas so that no markup is created.
 *
 * @param describe title and lines of the tooltip of a row
 */
export const chartTooltip = <Row>(
  c: ChartColours,
  rows: readonly Row[],
  describe: (row: Row, index: number) => readonly [string, readonly TipLine[]],
) => ({
  trigger: 'axis',
  renderMode: 'richText',
  confine: true,
  transitionDuration: 0,
  backgroundColor: c.raised,
  borderColor: c.strong,
  borderWidth: 1,
  padding: [6, 10],
  axisPointer: { type: 'shadow', shadowStyle: { color: c.hover, opacity: 0.7 }, z: -1 },
  textStyle: { fontFamily: c.font, color: c.text, fontSize: 12, lineHeight: 20 },
  formatter: (params: unknown) => {
    const all = params as TipParam[];
    const index = all[0]?.dataIndex ?? -1;
    const row = rows[index];
    return row === undefined ? '' : tipText(...describe(row, index), all);
  },
});

const labelStyle = (c: ChartColours) => ({ color: c.faint, fontSize: 12, fontFamily: c.font });

/** Category axis for names or days. */
export const nameAxis = (c: ChartColours, data: readonly string[], more: object = {}) => ({
  type: 'category',
  data: [...data],
  axisLine: { lineStyle: { color: c.line } },
  axisTick: { show: false },
  axisLabel: { ...labelStyle(c), hideOverlap: true },
  ...more,
});

/** Value axis; `write` formats a number briefly. */
export const amountAxis = (c: ChartColours, write: (value: number) => string, more: object = {}) => ({
  type: 'value',
  splitNumber: 4,
  splitLine: { lineStyle: { color: c.line, opacity: 0.7 } },
  axisLabel: { ...labelStyle(c), formatter: write },
  ...more,
});

/** Category axis of days, as `03-08`. The table beside the chart has the year. */
export const dayAxis = (c: ChartColours, days: readonly { day: string }[], more: object = {}) =>
  nameAxis(
    c,
    days.map(({ day }) => day.slice(5)),
    more,
  );

/** Common chart options: font and grid. */
export const chartFrame = (c: ChartColours, more: object = {}): EChartsCoreOption => ({
  textStyle: { fontFamily: c.font, color: c.text },
  grid: { left: 4, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
  ...more,
});

/** Converts a decimal string to a float for drawing only; a pixel needs no more precision. */
export const toChartNumber = (amount: string): number => Number(amount);

const STEPS = [
  [1e12, '万亿'],
  [1e8, '亿'],
  [1e4, '万'],
] as const;

/** Approximate number for axes: `1.2万`, `3亿`. */
export function roughNumber(value: number): string {
  const [step, unit] = STEPS.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  return `${Number((value / step).toPrecision(3))}${unit}`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const INTERVALS = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 4, 6, 12, 24, 48].map((count) => count * HOUR_MS),
];

/** Interval and maximum for an axis of durations in ms, at round clock steps. */
export function durationScale(longest: number): { interval: number; max: number } {
  const interval =
    INTERVALS.find((one) => longest <= one * 4) ?? Math.ceil(longest / 4 / (24 * HOUR_MS)) * 24 * HOUR_MS;
  return { interval, max: Math.max(Math.ceil(longest / interval), 1) * interval };
}

/** Bar series. */
export const barSeries = (color: string, data: readonly (number | null)[], more: object = {}) => ({
  type: 'bar',
  data: [...data],
  itemStyle: { color, borderRadius: [1, 1, 0, 0] },
  barMaxWidth: 10,
  barGap: '20%',
  barCategoryGap: '40%',
  emphasis: { disabled: true },
  ...more,
});

/** A bar that differs from a filled one without colour: money that goes out, or a loss. */
const outlineStyle = (c: ChartColours, color: string) => ({ color: c.surface, borderColor: color, borderRadius: 1 });

/** Money in, filled, beside money out, outlined. */
export const inOutSeries = (c: ChartColours, inflow: readonly string[], outflow: readonly string[]) => [
  barSeries(c.up, inflow.map(toChartNumber)),
  barSeries(
    c.down,
    // The outline of an empty bar would look like a value.
    outflow.map((amount) => toChartNumber(amount) || null),
    { itemStyle: outlineStyle(c, c.down) },
  ),
];

/** Bars of amounts with a sign: gains filled, losses outlined. */
export const signedSeries = (c: ChartColours, amounts: readonly string[]) => ({
  ...barSeries(c.up, []),
  data: amounts.map(toChartNumber).map((value) => ({
    value: value || null,
    itemStyle: value < 0 ? outlineStyle(c, c.down) : { color: c.up, borderRadius: 1 },
  })),
});

/** Line series; a dashed line differs from a solid one without colour. A missing value is skipped. */
export const lineSeries = (color: string, data: readonly (number | null)[], isDashed = false) => ({
  type: 'line',
  data: [...data],
  connectNulls: true,
  symbol: isDashed ? 'emptyCircle' : 'circle',
  symbolSize: 4,
  lineStyle: { color, width: 1.5, type: isDashed ? 'dashed' : 'solid' },
  itemStyle: { color },
  emphasis: { disabled: true },
});
