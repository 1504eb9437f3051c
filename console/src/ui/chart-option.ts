import type { EChartsCoreOption } from 'echarts/core';
import type { ChartColours } from './chart-colours.ts';

/** A line of what is said about the place under the pointer. */
export interface TipLine {
  name: string;
  value: string;
  colour?: string;
}

/** `{` and `|` have a meaning inside a canvas' rich text, and coins may be called anything. */
const word = (text: string): string => text.replaceAll(/[{}|]/g, ' ');

const tipText = (title: string, lines: readonly TipLine[]): string =>
  [
    `{title|${word(title)}}`,
    ...lines.map(({ name, value }, index) => `{dot${index}|●}{name|${word(name)}}{value|${word(value)}}`),
  ].join('\n');

/** What is said about a place is drawn on the canvas as well: no markup is made. */
export function tip(c: ChartColours, dots: readonly string[], say: (index: number) => [string, readonly TipLine[]]) {
  const rich = {
    title: { color: c.label, fontSize: 12, lineHeight: 20 },
    name: { color: c.label, fontSize: 12, lineHeight: 20, width: 76, padding: [0, 0, 0, 4] },
    value: { color: c.text, fontSize: 12, lineHeight: 20, align: 'right' },
    ...Object.fromEntries(dots.map((color, index) => [`dot${index}`, { color, fontSize: 10, lineHeight: 20 }])),
  };
  return {
    trigger: 'axis',
    renderMode: 'richText',
    confine: true,
    transitionDuration: 0,
    backgroundColor: c.raised,
    borderColor: c.strong,
    borderWidth: 1,
    padding: [6, 10],
    axisPointer: { type: 'shadow', shadowStyle: { color: c.hover, opacity: 0.7 }, z: -1 },
    textStyle: { fontFamily: c.font, color: c.text, rich },
    formatter: (params: unknown) => {
      const [first] = params as { dataIndex: number }[];
      return first ? tipText(...say(first.dataIndex)) : '';
    },
  };
}

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
