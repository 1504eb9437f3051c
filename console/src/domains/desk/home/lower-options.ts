import type { HomeDay } from '@hengtai/contract/desk/home/schema';
import type { ChartColours } from '../../../ui/chart/chart-colours.ts';
import {
  amountAxis,
  barSeries,
  chartFrame,
  chartTooltip,
  dayAxis,
  durationScale,
  lineSeries,
  roughNumber,
} from '../../../ui/chart/chart-option.ts';
import { exactDuration, roughDuration } from '../../../ui/value/duration.ts';
import { formatCount } from './panel.tsx';

export const usersOption = (days: readonly HomeDay[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, days),
    yAxis: amountAxis(c, roughNumber, { minInterval: 1 }),
    tooltip: chartTooltip(c, days, ({ day, users }) => [
      day,
      [{ name: '新增用户', value: `${formatCount(users)} 人`, series: 0 }],
    ]),
    series: [
      barSeries(
        c.accent,
        days.map(({ users }) => users),
      ),
    ],
  });

const durationText = (ms: number | null): string => (ms === null ? '--' : exactDuration(ms));
const longestWait = (days: readonly HomeDay[]): number => Math.max(0, ...days.map(({ review }) => review.p90 ?? 0));

export const reviewOption = (days: readonly HomeDay[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, days),
    yAxis: amountAxis(c, roughDuration, { min: 0, ...durationScale(longestWait(days)) }),
    tooltip: chartTooltip(c, days, ({ day, review }) => [
      day,
      [
        { name: '审核', value: `${formatCount(review.count)} 笔` },
        { name: '中位数', value: durationText(review.median), series: 0 },
        { name: '90分位', value: durationText(review.p90), series: 1 },
      ],
    ]),
    series: [
      lineSeries(
        c.accent,
        days.map(({ review }) => review.median),
      ),
      lineSeries(
        c.warn,
        days.map(({ review }) => review.p90),
        true,
      ),
    ],
  });
