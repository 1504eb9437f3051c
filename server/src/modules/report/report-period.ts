import { REPORT_DAYS, REPORT_DAYS_MAX } from '@hengtai/contract/report';
import type { Ctx } from '../../core/context.ts';
import { fetchFundZone } from './fund-day.store.ts';
import { type ReportDay, reportDays, reportDaysOf } from '../../lists/report-day.ts';
import { refuseField } from '../../core/refuse.ts';

const DAY_MS = 86_400_000;

/** The period of a report: whole days, and its bounds in unix milliseconds. */
export interface ReportPeriod {
  zone: string;
  days: readonly ReportDay[];
  from: number;
  /** End of the last day, exclusive. */
  end: number;
}

/**
 * Resolves a period to the days of the report zone that it touches, limited to the time from the first data to now.
 * Without `from` it is the last thirty days.
 *
 * @param since time of the first data, or shortly before; null: there is no data
 * @throws Refused 422 for too many days
 */
export async function resolvePeriod(
  ctx: Ctx,
  { from: requestedFrom, to = ctx.now }: { from?: number | undefined; to?: number | undefined },
  since: number | null,
): Promise<ReportPeriod> {
  const zone = await fetchFundZone(ctx.db);
  const last = Math.min(to, ctx.now);
  const from = requestedFrom === undefined ? undefined : Math.max(requestedFrom, since ?? last);
  if (from !== undefined && last - from > (REPORT_DAYS_MAX + 1) * DAY_MS) throw tooLong();
  const days =
    from === undefined
      ? await reportDays(ctx.db, last, zone, REPORT_DAYS)
      : await reportDaysOf(ctx.db, from, last, zone);
  if (days.length > REPORT_DAYS_MAX) throw tooLong();
  // Days have 23 to 25 hours, so 36 hours after its start is always in the next day.
  const [next] = await reportDays(ctx.db, (days.at(-1)?.start ?? last) + 1.5 * DAY_MS, zone, 1);
  return { zone, days, from: from ?? days[0]?.start ?? last, end: next?.start ?? last };
}

const tooLong = () => refuseField('from', `：一次最多查询 ${REPORT_DAYS_MAX} 天`);
