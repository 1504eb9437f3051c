import { PERIOD } from '@hengtai/contract/desk/schedule/calls';
import { type RawBuilder, sql } from 'kysely';
import { boundsOfReportDay, dayStart, reportDayOf } from '../../../books/lists/report-day.ts';
import type { Db } from '../../../database/connect.ts';

/** When a schedule runs. */
export interface Timing {
  /** A value of `PERIOD`. */
  period: number;
  /** Weekday from Monday 1 to Sunday 7, or day of the month. */
  day: number;
  hour: number;
}

export interface Slots {
  /** The latest slot up to now, in unix milliseconds as all of these. */
  latest: number;
  next: number;
  /** The period before the day of the latest slot; `to` is its last millisecond. */
  from: number;
  to: number;
}

/**
 * Computes the slots around a time in the report zone. PostgreSQL knows the changes of the clocks: an hour that does not exist
 * on a day is the next one, and of an hour that exists twice there is one slot.
 */
export async function findSlots(db: Db, { period, day, hour }: Timing, now: number): Promise<Slots> {
  const startOf = (date: RawBuilder<unknown>) => sql`(select b.start from ${boundsOfReportDay(date)} b)`;
  const zone = sql.ref('l.zone');
  const { rows } = await sql<Slots>`
    with today as (
      select (to_timestamp(${now}::bigint / 1000.0) at time zone zone)::date as day, zone from report_zone
      where starts_at <= ${now} and ${now} < ends_at
    ),
    -- A slot recurs after 31 days at most.
    slot as (
      select d.day, (extract(epoch from (d.day + make_interval(hours => ${hour}::int)) at time zone t.zone) * 1000)::bigint as at,
        t.zone
      from today t cross join lateral (select t.day + n as day from generate_series(-33, 33) n) d
      where case ${period}::int when ${sql.lit(PERIOD.daily)} then true
        when ${sql.lit(PERIOD.weekly)} then extract(isodow from d.day) = ${day}::int
        else extract(day from d.day) = ${day}::int end
    ),
    latest as (select * from slot where at <= ${now} order by at desc limit 1),
    -- The day before that of the slot, and the day with which the period begins: whole report days, also when the zone changes.
    last as (select l.*, ${startOf(reportDayOf(sql`l.at`))} - 1 as "to" from latest l)
    select l.at as latest, (select min(at) from slot where at > ${now}) as next, l."to",
      ${startOf(
        reportDayOf(
          sql`least(l."to", ${dayStart(
            sql`(l.day - case ${period}::int when ${sql.lit(PERIOD.daily)} then interval '1 day'
            when ${sql.lit(PERIOD.weekly)} then interval '7 days' else interval '1 month' end)::date`,
            zone,
          )})`,
        ),
      )} as "from"
    from last l`.execute(db);
  const [found] = rows;
  if (!found) throw new Error(`There is no slot for the schedule ${JSON.stringify({ period, day, hour })}.`);
  return found;
}
