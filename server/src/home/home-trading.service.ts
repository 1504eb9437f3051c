import { HOME_DAYS } from '@hengtai/contract/home';
import type { HomeTrading, HomeTradingDay } from '@hengtai/contract/home.schema';
import type { App, Ctx } from '../context.ts';
import { reportDays } from '../db/report-day.ts';
import { installationOf } from '../session/session.store.ts';
import { keptPerTree } from './home-kept.ts';
import { type Traded, tradedOf } from './home-trading.store.ts';

/** 30 days of trading in the operator's own tree. */
export const homeTrading = keptPerTree(readTrading);

async function readTrading(ctx: Ctx, app: App): Promise<HomeTrading> {
  const { reportZone } = await installationOf(app.system);
  const days = await reportDays(ctx.db, ctx.now, reportZone, HOME_DAYS);
  const traded = await tradedOf(ctx, days);
  return {
    at: ctx.now,
    zone: reportZone,
    days: days.map(({ day }, index) => ({ day, ...tradedOn(traded.filter((one) => one.day === index + 1)) })),
  };
}

function tradedOn(traded: readonly Traded[]): Omit<HomeTradingDay, 'day'> {
  const of = (kind: Traded['kind']) => {
    const found = traded.find((one) => one.kind === kind);
    return { flow: { value: found?.value ?? '0', count: found?.count ?? 0 }, result: found?.result ?? '0' };
  };
  const [future, second] = [of('future'), of('second')];
  return {
    spot: of('spot').flow,
    future: { ...future.flow, result: future.result },
    second: { ...second.flow, result: second.result },
    ieo: of('ieo').flow,
  };
}
