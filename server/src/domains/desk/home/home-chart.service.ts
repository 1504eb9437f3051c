import { HOME_DAYS } from '@hengtai/contract/wire/input-values';
import type { HomeChart, HomeCoin, HomeDay } from '@hengtai/contract/desk/home/schema';
import type { Ctx } from '../../../app/context.ts';
import { type ReportDay, reportDays } from '../../../books/lists/report-day.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';
import {
  type DayCount,
  type DayReview,
  type Flow,
  fetchFlows,
  countNewUsers,
  fetchReviewTimes,
  countWaitingWithdraws,
} from './home-flow.store.ts';
import { cachePerScope } from './scope-cache.ts';
import { sumAmounts, sumCents, subtract, sumNetCents, formatAmount } from './home.rules.ts';

/** Figures of the last 30 days in the operator's scope. */
export const homeChart = cachePerScope(readChart);

async function readChart(ctx: Ctx): Promise<HomeChart> {
  const days = await reportDays(ctx.db, ctx.now, HOME_DAYS);
  const flows = await fetchFlows(ctx, days, 'report');
  const users = await countNewUsers(ctx, days);
  const reviews = await fetchReviewTimes(ctx, days);
  return {
    at: ctx.now,
    zone: await fetchReportZone(ctx.db, ctx.now),
    days: days.map((day, index) => dayOf(day, index + 1, { flows, users, reviews })),
    coins: coinsOf(flows),
    waiting: await countWaitingWithdraws(ctx),
  };
}

interface Figures {
  flows: readonly Flow[];
  users: readonly DayCount[];
  reviews: readonly DayReview[];
}

function dayOf({ day }: ReportDay, number: number, { flows, users, reviews }: Figures): HomeDay {
  const own = flows.filter((flow) => flow.day === number);
  const countOf = (kind: Flow['kind']): number =>
    own.reduce((sum, flow) => sum + (flow.kind === kind ? flow.count : 0), 0);
  const recharge = { value: sumCents(own, 'recharge'), count: countOf('recharge') };
  const withdraw = { value: sumCents(own, 'withdraw'), count: countOf('withdraw') };
  const review = reviews.find((one) => one.day === number);
  return {
    day,
    recharge,
    withdraw,
    net: subtract(recharge.value, withdraw.value),
    users: users.find((one) => one.day === number)?.count ?? 0,
    review: { count: review?.count ?? 0, median: review?.median ?? null, p90: review?.p90 ?? null },
  };
}

/** Totals per coin, in the order of the markets. */
function coinsOf(flows: readonly Flow[]): HomeCoin[] {
  return [...new Set(flows.map(({ marketId }) => marketId))].map((marketId) => {
    const own = flows.filter((flow) => flow.marketId === marketId);
    const recharge = sumAmounts(own.filter(({ kind }) => kind === 'recharge'));
    const withdraw = sumAmounts(own.filter(({ kind }) => kind === 'withdraw'));
    const isPriced = own.every(({ value }) => value !== null);
    return {
      marketId,
      marketName: own[0]?.marketName ?? '',
      recharge: formatAmount(recharge),
      withdraw: formatAmount(withdraw),
      net: formatAmount(recharge.minus(withdraw)),
      value: isPriced ? sumNetCents(own) : null,
    };
  });
}
