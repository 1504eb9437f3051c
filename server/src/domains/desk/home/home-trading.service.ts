import { HOME_DAYS } from '@hengtai/contract/wire/input-values';
import type { HomeTrading, HomeTradingDay } from '@hengtai/contract/desk/home/schema';
import type { Ctx } from '../../../app/context.ts';
import { reportDays } from '../../../books/lists/report-day.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';
import { cachePerScope } from './scope-cache.ts';
import { type TradingFigures, fetchTrading } from './home-trading.store.ts';

/** Trading of the last 30 days in the operator's scope. */
export const homeTrading = cachePerScope(readTrading);

async function readTrading(ctx: Ctx): Promise<HomeTrading> {
  const days = await reportDays(ctx.db, ctx.now, HOME_DAYS);
  const figures = await fetchTrading(ctx, days);
  return {
    at: ctx.now,
    zone: await fetchReportZone(ctx.db, ctx.now),
    days: days.map(({ day }, index) => ({ day, ...summarizeDay(figures.filter((one) => one.day === index + 1)) })),
  };
}

function summarizeDay(figures: readonly TradingFigures[]): Omit<HomeTradingDay, 'day'> {
  const figuresOf = (kind: TradingFigures['kind']) => {
    const found = figures.find((one) => one.kind === kind);
    const flow = { value: found?.value ?? '0', count: found?.count ?? 0 };
    return { flow, unpriced: found?.unpriced ?? 0, result: found?.result ?? '0' };
  };
  const [spot, future, second] = [figuresOf('spot'), figuresOf('future'), figuresOf('second')];
  return {
    spot: { ...spot.flow, ...(spot.unpriced > 0 && { unpriced: spot.unpriced }) },
    future: { ...future.flow, result: future.result },
    second: { ...second.flow, result: second.result },
    ieo: figuresOf('ieo').flow,
  };
}
