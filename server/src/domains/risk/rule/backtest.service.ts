import { Decimal } from '@hengtai/contract/values/decimal';
import { refusals } from '@hengtai/contract/wire/refusals';
import { RULE } from '@hengtai/contract/risk/rule/facts';
import type { BacktestResult, RuleBacktest } from '@hengtai/contract/risk/rule/schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, refuseField } from '../../../app/refuse.ts';
import { sqlState } from '../../../database/connect.ts';
import {
  type HitGroup,
  NEWEST_HITS,
  type Period,
  type TestedRule,
  countHits,
  countTested,
  fetchNewestHits,
  findReviewTime,
  setBacktestTimeout,
  lockBacktest,
} from './backtest.store.ts';
import { fetchRules } from './rule.store.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { validateConditions } from './condition.rules.ts';

interface NamedRule extends TestedRule {
  name: string;
}

const QUERY_CANCELED = '57014';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The states of withdrawals by what reviewers decided. The rest was passed. */
const undecided: readonly number[] = [WITHDRAW.review, WITHDRAW.second];

/**
 * What rules would have hit among the recorded withdrawals, and what reviewers decided about the hits. Live decisions use the
 * same facts and conditions.
 *
 * @throws Refused 429 while another backtest runs, 422 if it takes too long
 */
export async function backtest(ctx: Ctx, input: RuleBacktest): Promise<BacktestResult> {
  requireHouse(ctx);
  validateConditions(input.conditions ?? []);
  const { from, to } = input;
  if (from !== undefined && to !== undefined && from > to) throw refuseField('from', '不能晚于结束时间');
  const rules = await findTested(ctx, input);
  if (!(await lockBacktest(ctx.db))) throw refuse(refusals.backtestBusy);
  await setBacktestTimeout(ctx.db);
  try {
    return await testRules(ctx, rules, { from, to });
  } catch (error) {
    throw sqlState(error) === QUERY_CANCELED ? refuse(refusals.listTooBroad) : error;
  }
}

/** The rules of the input: those in effect, those named, and last the bare conditions. */
async function findTested(ctx: Ctx, input: RuleBacktest): Promise<NamedRule[]> {
  const { conditions, unknownHits = false, ids = [], effective = false } = input;
  const stored = ids.length > 0 || effective ? await fetchRules(ctx.db) : [];
  const missing = ids.find((id) => !stored.some((rule) => rule.id === id));
  if (missing !== undefined) throw refuse(refusals.notFound);
  const rules: NamedRule[] = stored.filter(
    ({ id, state }) => ids.includes(id) || (effective && state === RULE.effective),
  );
  if (conditions) rules.push({ name: '', conditions, unknownHits });
  if (rules.length === 0) throw refuseField('conditions', '：没有要回测的规则');
  return rules;
}

async function testRules({ db }: Ctx, rules: readonly NamedRule[], period: Period): Promise<BacktestResult> {
  const { total, complete } = await countTested(db, period);
  const groups = await countHits(db, rules, period);
  const sum = (of: (group: HitGroup) => number, state?: (state: number) => boolean): number =>
    groups.reduce((all, group) => all + (state === undefined || state(group.state) ? of(group) : 0), 0);
  const hitsIn = (state: (state: number) => boolean): number => sum(({ hits }) => hits, state);
  const hits = sum((group) => group.hits);
  const rejected = hitsIn((state) => state === WITHDRAW.rejected);
  const cancelled = hitsIn((state) => state === WITHDRAW.cancelled);
  const open = hitsIn((state) => undecided.includes(state));
  const passed = hits - rejected - cancelled - open;
  const median = await findReviewTime(db);
  const reviewMinutes = median === null ? null : Math.round(median / 60_000);
  const days = [...new Set(groups.map(({ day }) => day))].map((at) => ({
    at,
    hits: groups.reduce((all, group) => all + (group.day === at ? group.hits : 0), 0),
  }));
  return {
    total,
    complete,
    hits,
    unknown: sum((group) => group.unknown),
    passed,
    rejected,
    cancelled,
    open,
    precision: passed + rejected === 0 ? null : new Decimal(100 * rejected).div(passed + rejected).toFixed(2),
    held: groups.reduce((all, { amountUsdt }) => all.plus(amountUsdt), new Decimal(0)).toFixed(),
    unpriced: sum((group) => group.unpriced),
    reviewMinutes,
    addedMinutes: median === null ? null : Math.round((median * hits) / 60_000),
    days,
    rules: rules.map(({ id, name }, index) => ({
      id: id ?? null,
      name,
      hits: sum((group) => group.rules[index] ?? 0),
    })),
    newest: hits === 0 ? [] : await fetchNewestHits(db, rules, period, newestDays(days)),
  };
}

/**
 * The last days that together have enough hits, so that finding the newest reads little. Ids follow the time of requests only
 * roughly, so one day more is read. Days may have 25 hours; what overlaps is one range.
 */
function newestDays(days: BacktestResult['days']): { from: number; to: number }[] {
  let count = 0;
  const last = days.toReversed();
  const enough = last.findIndex((day) => (count += day.hits) >= NEWEST_HITS);
  const ranges: { from: number; to: number }[] = [];
  for (const { at } of last.slice(0, enough === -1 ? undefined : enough + 2)) {
    const range = ranges.at(-1);
    const to = at + DAY_MS + HOUR_MS;
    if (range && range.from <= to) range.from = at;
    else ranges.push({ from: at, to });
  }
  return ranges;
}
