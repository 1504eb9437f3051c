import { REPORT_DAYS, REPORT_DAYS_MAX } from '@hengtai/contract/desk/report/calls';
import type { Ctx } from '../../../app/context.ts';
import { type ReportDay, reportDays, reportDaysOf } from '../../../books/lists/report-day.ts';
import { fetchReportZone } from '../../../books/lists/report-zone.ts';
import { refuseField } from '../../../app/refuse.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The period of a report: whole days, and its bounds in unix milliseconds. */
export interface ReportPeriod {
  /** The report zone now. */
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
  const zone = await fetchReportZone(ctx.db, ctx.now);
  const last = Math.min(to, ctx.now);
  const from = requestedFrom === undefined ? undefined : Math.max(requestedFrom, since ?? last);
  if (from !== undefined && last - from > (REPORT_DAYS_MAX + 1) * DAY_MS) throw tooLong();
  const days =
    from === undefined ? await reportDays(ctx.db, last, REPORT_DAYS) : await reportDaysOf(ctx.db, from, last);
  if (days.length > REPORT_DAYS_MAX) throw tooLong();
  return { zone, days, from: from ?? days[0]?.start ?? last, end: days.at(-1)?.end ?? last };
}

/** The length of a day. */
export const hoursOf = ({ start, end }: ReportDay): number => (end - start) / HOUR_MS;

const tooLong = () => refuseField('from', `：一次最多查询 ${REPORT_DAYS_MAX} 天`);
