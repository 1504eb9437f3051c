import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../database/connect.ts';

export interface ReportDay {
  /** YYYY-MM-DD in the report zone of that day. */
  day: string;
  /** First instant of the day in unix milliseconds. */
  start: number;
  /** First instant after the day. */
  end: number;
}

type Sql = RawBuilder<unknown>;

const DAY_MS = 86_400_000;

const dateIn = (at: Sql, zone: Sql): Sql => sql`(to_timestamp(${at} / 1000.0) at time zone ${zone})::date`;

/**
 * The first instant of a date in a zone, in unix milliseconds: after a skipped midnight, or at the first of two. PostgreSQL
 * moves a skipped midnight to the instant of the change, and reads a repeated one as the second.
 */
export const dayStart = (date: Sql, zone: Sql): RawBuilder<number> => sql<number>`(
  select (extract(epoch from case when ((m.at - interval '1 hour') at time zone ${zone})::date = ${date}
    then m.at - interval '1 hour' else m.at end) * 1000)::bigint
  from (select (${date})::timestamp at time zone ${zone} as at) m)`;

const zoneColumn = sql.ref('z.zone');

/** The date of the report day that contains a time in unix milliseconds. */
export const reportDayOf = (at: Sql): RawBuilder<Date> => sql<Date>`(
  select least(${dateIn(at, zoneColumn)}, z.last_day::date) from report_zone z where z.starts_at <= ${at} and ${at} < z.ends_at)`;

/** A report day by its date: `start`, `end`. No row for a date that a change of zone has skipped. */
export const boundsOfReportDay = (date: Sql): Sql => sql`(
  select x.start, case when ${date} = x.last_day::date then x.ends_at else ${dayStart(sql`(${date} + 1)`, sql.ref('x.zone'))} end as "end"
  from (select z.*, ${dayStart(date, zoneColumn)} as start from report_zone z where ${date} <= z.last_day::date) x
  where x.starts_at <= x.start and x.start < x.ends_at)`;

/** Fetches the days that contain the times `from` to `to`, in order; none if `from` is later than `to`. */
export async function reportDaysOf(db: Db, from: number, to: number): Promise<ReportDay[]> {
  if (from > to) return [];
  const { rows } = await sql<ReportDay>`
    select to_char(d.day, 'YYYY-MM-DD') as day, b.start, b."end"
    from report_zone z
    cross join lateral (
      select least(${dateIn(sql`greatest(z.starts_at, ${from}::bigint)`, zoneColumn)}, z.last_day::date) as first,
        least(${dateIn(sql`least(z.ends_at - 1, ${to}::bigint)`, zoneColumn)}, z.last_day::date) as last
    ) p
    cross join lateral (select p.first + n as day from generate_series(0, p.last - p.first) n) d
    cross join lateral ${boundsOfReportDay(sql`d.day`)} b
    where z.starts_at <= ${to}::bigint and ${from}::bigint < z.ends_at order by b.start`.execute(db);
  return rows;
}

/** Fetches the last `count` report days, today last. */
export async function reportDays(db: Db, now: number, count: number): Promise<ReportDay[]> {
  // Only a day with a change of zone is longer than one of the calendar, and none is longer than two.
  return (await reportDaysOf(db, Math.max(now - 2 * count * DAY_MS, 0), now)).slice(-count);
}

/** Condition that a time column is on a report day, a date of the calendar given as YYYY-MM-DD. */
export function isOnReportDay(column: string, day: string): RawBuilder<boolean> {
  const bounds = boundsOfReportDay(sql`${day}::date`);
  return sql<boolean>`(${sql.ref(column)} >= (select b.start from ${bounds} b)
    and ${sql.ref(column)} < (select b."end" from ${bounds} b))`;
}
