import { createHash } from 'node:crypto';
import { HOME_DAYS } from '@hengtai/contract/home';
import type { HomeChart, HomeCoin, HomeDay } from '@hengtai/contract/home.schema';
import type { App, Ctx } from '../context.ts';
import type { Scope } from '../db/connect.ts';
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
import { amountOf, centsOf, less, netCentsOf, written } from './home.rules.ts';

/**
 * Everybody's home page asks for the same few figures again and again; so long one answer serves all of a tree. Where a
 * month has a million rows and the answer takes its time, it is kept so many times longer than it took.
 */
const KEPT_MS = 5_000;
const KEPT_TIMES = 20;
const KEPT_MS_MAX = 60_000;

interface Kept {
  at: number;
  for: number;
  chart: Promise<HomeChart>;
}

const keptOf = new WeakMap<App, Map<string, Kept>>();

/** 30 days of the operator's own tree. What is kept is kept for a tree, so that nobody is answered with another's. */
export async function homeChart(ctx: Ctx, _input: object, app: App): Promise<HomeChart> {
  const kept = keptOf.get(app) ?? new Map<string, Kept>();
  keptOf.set(app, kept);
  const isFresh = (one: Kept): boolean => one.at <= ctx.now && ctx.now - one.at < one.for;
  const key = treeOf(ctx.scope);
  const found = kept.get(key);
  if (found && isFresh(found)) return found.chart;
  for (const [name, one] of kept) if (!isFresh(one)) kept.delete(name);
  const began = performance.now();
  const made: Kept = { at: ctx.now, for: KEPT_MS_MAX, chart: readChart(ctx, app) };
  kept.set(key, made);
  try {
    const chart = await made.chart;
    made.for = Math.min(Math.max((performance.now() - began) * KEPT_TIMES, KEPT_MS), KEPT_MS_MAX);
    return chart;
  } catch (error) {
    if (kept.get(key) === made) kept.delete(key);
    throw error;
  }
}

const treeOf = (scope: Scope): string =>
  scope.kind === 'all'
    ? 'all'
    : createHash('sha256')
        .update([...scope.ids].sort((a, b) => a - b).join(','))
        .digest('base64');

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
