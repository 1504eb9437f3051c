import { type HomeCardName, homeCards } from '@hengtai/contract/desk/home/calls';
import type { HomeTrend, HomeTrends } from '@hengtai/contract/desk/home/schema';
import { TREND_DAYS } from '@hengtai/contract/wire/input-values';
import type { Ctx } from '../../../app/context.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';
import { reportDays } from '../../../books/lists/report-day.ts';
import { type Flow, fetchFlows } from './home-flow.store.ts';
import { type DailyCount, countDaily, countUsersAt } from './home-trend.store.ts';
import { sumCents } from './home.rules.ts';
import { cachePerOperator } from './scope-cache.ts';

/** What each card counts by day; a flow of money; or the users at the end of the day. */
const measures: Readonly<Record<HomeCardName, DailyCount['kind'] | `flow.${Flow['kind']}` | 'total'>> = {
  用户总数: 'total',
  今日新增用户: 'user',
  '今日充值(USDT)': 'flow.recharge',
  '今日提现(USDT)': 'flow.withdraw',
  待审核提现: 'withdraw',
  待审核实名: 'auth',
  待审核认购: 'ieo',
  待复核审批: 'approval',
  现货委托: 'trade',
  合约持仓: 'future',
  秒合约进行中: 'second',
  在线操作员: 'login',
};

/** The last days of each card, and what the figure of today was at the same time of yesterday. */
export const homeTrends = cachePerOperator(readTrends);

async function readTrends(ctx: Ctx): Promise<HomeTrends> {
  const days = await reportDays(ctx.db, ctx.now, TREND_DAYS);
  const [yesterday, today] = days.slice(-2).map(({ start }) => start) as [number, number];
  const until = Math.min(yesterday + (ctx.now - today), today);
  const flows = await fetchFlows(ctx, days, 'records');
  // A range of its own, so that it is valued at the prices of that time.
  const dayBefore = [
    { day: '', start: yesterday, end: until },
    { day: '', start: until, end: until },
  ];
  const earlier = await fetchFlows(ctx, dayBefore, 'records');
  const counts = await countDaily(ctx, days, until);
  const users = await countUsersAt(ctx, [...days.slice(1, -1).map(({ start }) => start), until, today]);

  const count = (kind: string, day: number) => counts.find((one) => one.kind === kind && one.day === day);
  const trendOf = (text: HomeCardName): Omit<HomeTrend, 'text'> => {
    const measure = measures[text];
    if (measure === 'total') {
      const earlier = users.earlier.map(String);
      const before = earlier.splice(-2, 1);
      return { days: [...earlier, String(users.now)], yesterday: before[0] ?? '0' };
    }
    if (measure === 'flow.recharge' || measure === 'flow.withdraw') {
      const kind = measure === 'flow.recharge' ? 'recharge' : 'withdraw';
      const sumOf = (all: readonly Flow[], day: number) =>
        sumCents(
          all.filter((flow) => flow.day === day),
          kind,
        );
      return { days: days.map((_, index) => sumOf(flows, index + 1)), yesterday: sumOf(earlier, 1) };
    }
    return {
      days: days.map((_, index) => String(count(measure, index + 1)?.count ?? 0)),
      yesterday: String(count(measure, days.length - 1)?.before ?? 0),
    };
  };
  return {
    at: ctx.now,
    today: days.at(-1)?.day ?? '',
    zone: await fetchReportZone(ctx.db, ctx.now),
    cards: homeCards.map((text) => ({ text, ...trendOf(text) })),
  };
}
