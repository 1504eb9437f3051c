import { HOME_DAYS } from '@hengtai/contract/home';
import type { HomeChart, HomeCoin, HomeDay } from '@hengtai/contract/home.schema';
import type { App, Ctx } from '../context.ts';
import { type ReportDay, reportDays } from '../db/report-day.ts';
import { installationOf } from '../session/session.store.ts';
import {
  type DayCount,
  type DayReview,
  type Flow,
  flowsOf,
  newUsersOf,
  reviewsOf,
  waitingOf,
} from './home-flow.store.ts';
import { keptPerTree } from './home-kept.ts';
import { amountOf, centsOf, less, netCentsOf, written } from './home.rules.ts';

/** 30 days of the operator's own tree. */
export const homeChart = keptPerTree(readChart);

async function readChart(ctx: Ctx, app: App): Promise<HomeChart> {
  const { reportZone } = await installationOf(app.system);
  const days = await reportDays(ctx.db, ctx.now, reportZone, HOME_DAYS);
  const flows = await flowsOf(ctx, days);
  const users = await newUsersOf(ctx, days);
  const reviews = await reviewsOf(ctx, days);
  return {
    at: ctx.now,
    zone: reportZone,
    days: days.map((day, index) => dayOf(day, index + 1, { flows, users, reviews })),
    coins: coinsOf(flows),
    waiting: await waitingOf(ctx),
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
  const recharge = { value: centsOf(own, 'recharge'), count: countOf('recharge') };
  const withdraw = { value: centsOf(own, 'withdraw'), count: countOf('withdraw') };
  const review = reviews.find((one) => one.day === number);
  return {
    day,
    recharge,
    withdraw,
    net: less(recharge.value, withdraw.value),
    users: users.find((one) => one.day === number)?.count ?? 0,
    review: { count: review?.count ?? 0, median: review?.median ?? null, p90: review?.p90 ?? null },
  };
}

/** In the order of the markets. */
function coinsOf(flows: readonly Flow[]): HomeCoin[] {
  return [...new Set(flows.map(({ marketId }) => marketId))].map((marketId) => {
    const own = flows.filter((flow) => flow.marketId === marketId);
    const recharge = amountOf(own.filter(({ kind }) => kind === 'recharge'));
    const withdraw = amountOf(own.filter(({ kind }) => kind === 'withdraw'));
    const priced = own.every(({ value }) => value !== null);
    return {
      marketId,
      marketName: own[0]?.marketName ?? '',
      recharge: written(recharge),
      withdraw: written(withdraw),
      net: written(recharge.minus(withdraw)),
      value: priced ? netCentsOf(own) : null,
    };
  });
}
