import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

export interface ReportDay {
  /** YYYY-MM-DD in the report zone. */
  day: string;
  /** Start of the day in unix milliseconds. */
  start: number;
}

/**
 * Fetches the last `count` days of a time zone, today last. If clocks change at midnight, a day begins at the first moment
 * with its date: after a skipped midnight, or at the first of two.
 */
export async function reportDays(db: Db, now: number, zone: string, count: number): Promise<ReportDay[]> {
  const { rows } = await sql<ReportDay>`
    with day as (
      select (to_timestamp(${now}::bigint / 1000.0) at time zone ${zone}::text)::date - back as day
      from generate_series(0, ${count}::int - 1) back
    ), midnight as (
      select day, day::timestamp at time zone ${zone}::text as at from day
    )
    select to_char(day, 'YYYY-MM-DD') as day, (extract(epoch from
      case when ((at - interval '1 hour') at time zone ${zone}::text)::date = day then at - interval '1 hour' else at end
    ) * 1000)::bigint as start
    from midnight order by midnight.day`.execute(db);
  return rows;
}

/** Fetches the days of a time zone that contain the times `from` to `to`, in order; none if `from` is later than `to`. */
export async function reportDaysOf(db: Db, from: number, to: number, zone: string): Promise<ReportDay[]> {
  if (from > to) return [];
  const dateOf = (at: number) => sql`(to_timestamp(${at}::bigint / 1000.0) at time zone ${zone}::text)::date`;
  const { rows } = await sql<{ days: number }>`select ${dateOf(to)} - ${dateOf(from)} + 1 as days`.execute(db);
  return reportDays(db, to, zone, rows[0]?.days ?? 0);
}

/** Condition that a time column is on a day of the report zone, a date of the calendar given as YYYY-MM-DD. */
export function isOnReportDay(column: string, day: string): RawBuilder<boolean> {
  const start = (date: RawBuilder<unknown>) => sql`(
    select (extract(epoch from case when ((x.at - interval '1 hour') at time zone x.zone)::date = ${date}
      then x.at - interval '1 hour' else x.at end) * 1000)::bigint
    from (select report_zone as zone, ${date}::timestamp at time zone report_zone as at from installation) x)`;
  return sql<boolean>`(${sql.ref(column)} >= ${start(sql`${day}::date`)}
    and ${sql.ref(column)} < ${start(sql`(${day}::date + 1)`)})`;
}
