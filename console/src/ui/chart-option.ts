import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColours } from './chart-colours.ts';

/** A line of what is said about the place under the pointer. */
export interface TipLine {
  name: string;
  value: string;
  /** The series whose colour marks it. */
  series?: number;
}

interface TipParam {
  dataIndex: number;
  seriesIndex: number;
  marker: string;
}

/** `{` and `|` have a meaning inside a canvas' rich text, and coins may be called anything. */
const word = (text: string): string => text.replaceAll(/[{}|]/g, ' ');

/** As wide as the dot of a series. */
const MARKER_WIDE = '\u3000 ';

/** Names of one length, so that what follows them stands in a column. */
function tipText(title: string, lines: readonly TipLine[], params: readonly TipParam[]): string {
  const longest = Math.max(...lines.map(({ name }) => name.length));
  const said = lines.map(({ name, value, series }) => {
    const marker = params.find(({ seriesIndex }) => seriesIndex === series)?.marker ?? MARKER_WIDE;
    return `${marker}${word(name).padEnd(longest, '\u3000')}\u3000${word(value)}`;
  });
  return [word(title), ...said].join('\n');
}

/** What is said about a place is drawn on the canvas as well: no markup is made. */
export const tip = (c: ChartColours, say: (index: number) => [string, readonly TipLine[]]) => ({
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
    return all[0] ? tipText(...say(all[0].dataIndex), all) : '';
  },
});

const words = (c: ChartColours) => ({ color: c.faint, fontSize: 12, fontFamily: c.font });

/** An axis of names or days. */
export const nameAxis = (c: ChartColours, data: readonly string[], more: object = {}) => ({
  type: 'category',
  data: [...data],
  axisLine: { lineStyle: { color: c.strong } },
  axisTick: { show: false },
  axisLabel: { ...words(c), hideOverlap: true },
  ...more,
});

/** An axis of quantities; `write` puts a number into few signs. */
export const amountAxis = (c: ChartColours, write: (value: number) => string, more: object = {}) => ({
  type: 'value',
  splitNumber: 4,
  splitLine: { lineStyle: { color: c.line } },
  axisLabel: { ...words(c), formatter: write },
  ...more,
});

export const frame = (c: ChartColours, more: object = {}): EChartsCoreOption => ({
  textStyle: { fontFamily: c.font, color: c.text },
  grid: { left: 4, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
  ...more,
});

/** A length on the screen. The amounts themselves stay strings; a pixel needs no more than a float holds. */
export const forDrawing = (amount: string): number => Number(amount);

const STEPS = [
  [1e12, '万亿'],
  [1e8, '亿'],
  [1e4, '万'],
] as const;

/** `1.2万`, `3亿`: for axes, where the place is narrow and the figure is round. */
export function roughNumber(value: number): string {
  const [step, word] = STEPS.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  return `${Number((value / step).toPrecision(3))}${word}`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const INTERVALS = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12, 24, 48].map((count) => count * HOUR),
];

/** An axis of durations, divided as clocks are. */
export function durationScale(longest: number): { interval: number; max: number } {
  const interval = INTERVALS.find((one) => longest <= one * 4) ?? Math.ceil(longest / 4 / (24 * HOUR)) * 24 * HOUR;
  return { interval, max: Math.max(Math.ceil(longest / interval), 1) * interval };
}

/** A series of bars. */
export const bar = (color: string, data: readonly (number | null)[], more: object = {}) => ({
  type: 'bar',
  data: [...data],
  itemStyle: { color, borderRadius: [2, 2, 0, 0] },
  barMaxWidth: 18,
  barGap: '10%',
  barCategoryGap: '30%',
  emphasis: { disabled: true },
  ...more,
});
