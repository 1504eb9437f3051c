import { REPORT_DAYS, REPORT_DAYS_MAX } from '@hengtai/contract/report';
import type { Ctx } from '../context.ts';
import { fundZone } from '../db/fund-day.ts';
import { type ReportDay, reportDays, reportDaysOf } from '../db/report-day.ts';
import { refuseField } from '../refuse.ts';

const DAY_MS = 86_400_000;

/** The days that a report is asked about, and the moments from and to which. */
export interface ReportPeriod {
  zone: string;
  days: readonly ReportDay[];
  from: number;
  /** Where the last of the days ends. */
  end: number;
}

/**
 * Whole days of the report zone: all that the asked time touches, from the first one on which there is anything up to the
 * running one; the last thirty where nobody says from when.
 *
 * @param since the first moment of all that the report is about, or one shortly before it; null where there is nothing
 * @throws Refused 422 when that are too many
 */
export async function resolvePeriod(
  ctx: Ctx,
  { from: asked, to = ctx.now }: { from?: number | undefined; to?: number | undefined },
  since: number | null,
): Promise<ReportPeriod> {
  const zone = await fundZone(ctx.db);
  const last = Math.min(to, ctx.now);
  const from = asked === undefined ? undefined : Math.max(asked, since ?? last);
  if (from !== undefined && last - from > (REPORT_DAYS_MAX + 1) * DAY_MS) throw tooLong();
  const days =
    from === undefined
      ? await reportDays(ctx.db, last, zone, REPORT_DAYS)
      : await reportDaysOf(ctx.db, from, last, zone);
  if (days.length > REPORT_DAYS_MAX) throw tooLong();
  // No day is shorter than 23 hours or longer than 25.
  const [next] = await reportDays(ctx.db, (days.at(-1)?.start ?? last) + 1.5 * DAY_MS, zone, 1);
  return { zone, days, from: from ?? days[0]?.start ?? last, end: next?.start ?? last };
}

const tooLong = () => refuseField('from', `：一次最多查询 ${REPORT_DAYS_MAX} 天`);
