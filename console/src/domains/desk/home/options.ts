import type { HomeCoin, HomeDay } from '@hengtai/contract/desk/home/schema';
import type { ChartColours } from '../../../ui/chart/chart-colours.ts';
import {
  amountAxis,
  inOutSeries,
  signedSeries,
  toChartNumber,
  chartFrame,
  dayAxis,
  nameAxis,
  roughNumber,
  chartTooltip,
} from '../../../ui/chart/chart-option.ts';
import { formatGrouped, shorten } from '../../../ui/value/decimal.ts';

const formatCount = (value: number): string => value.toLocaleString('en-US');
export const withSign = (value: string): string =>
  /^-|^0$/.test(value) ? formatGrouped(value) : `+${formatGrouped(value)}`;

export const flowOption = (days: readonly HomeDay[]) => (c: ChartColours) =>
  chartFrame(c, {
    xAxis: dayAxis(c, days),
    yAxis: amountAxis(c, roughNumber),
    tooltip: chartTooltip(c, days, (day) => {
      const flow = ({ value, count: orders }: HomeDay['recharge']) =>
        `${formatGrouped(value)} USDT · ${formatCount(orders)} 笔`;
      return [
        day.day,
        [
          { name: '充值', value: flow(day.recharge), series: 0 },
          { name: '提现', value: flow(day.withdraw), series: 1 },
          { name: '净入金', value: `${withSign(day.net)} USDT` },
        ],
      ];
    }),
    series: inOutSeries(
      c,
      days.map(({ recharge }) => recharge.value),
      days.map(({ withdraw }) => withdraw.value),
    ),
  });

/** Maximum number of coins in the chart; the table has all. */
const COINS_DRAWN = 8;

/** The coins with the largest net value, sorted from the highest deposit to the highest withdrawal. */
export function selectChartCoins(coins: readonly HomeCoin[]): (HomeCoin & { value: string })[] {
  const priced = coins.flatMap((coin) => (coin.value === null ? [] : [{ ...coin, value: coin.value }]));
  const size = ({ value }: { value: string }) => toChartNumber(value);
  return priced
    .sort((a, b) => Math.abs(size(b)) - Math.abs(size(a)))
    .slice(0, COINS_DRAWN)
    .sort((a, b) => size(b) - size(a));
}

export const coinsOption = (coins: readonly HomeCoin[]) => (c: ChartColours) => {
  const drawn = selectChartCoins(coins);
  const named = drawn.map(({ marketName, value }) => {
    const rough = roughNumber(toChartNumber(shorten(value, 0).replaceAll(/[<>,]/g, '')));
    return `${marketName}  ${value.startsWith('-') || value === '0' ? '' : '+'}${rough}`;
  });
  return chartFrame(c, {
    xAxis: amountAxis(c, roughNumber, { splitNumber: 2 }),
    yAxis: nameAxis(c, named, { inverse: true }),
    tooltip: chartTooltip(c, drawn, (coin) => [
      coin.marketName,
      [
        { name: '充值', value: formatGrouped(coin.recharge) },
        { name: '提现', value: formatGrouped(coin.withdraw) },
        { name: '净入金', value: withSign(coin.net) },
        { name: '折合 USDT', value: withSign(coin.value) },
      ],
    ]),
    series: signedSeries(
      c,
      drawn.map(({ value }) => value),
    ),
  });
};
