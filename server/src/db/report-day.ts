import { sql } from 'kysely';
import type { Db } from './connect.ts';

export interface ReportDay {
  /** YYYY-MM-DD in the report zone. */
  day: string;
  /** Its first millisecond, unix. */
  start: number;
}

/**
 * The last `count` days of the zone, the running one last. Where clocks change at midnight a day begins at the first
 * moment that carries its date: after a midnight that is skipped, and at the first of two.
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

/** The days of the zone in which the moments from `from` to `to` lie, the first one first; none where `from` is later. */
export async function reportDaysOf(db: Db, from: number, to: number, zone: string): Promise<ReportDay[]> {
  if (from > to) return [];
  const dateOf = (at: number) => sql`(to_timestamp(${at}::bigint / 1000.0) at time zone ${zone}::text)::date`;
  const { rows } = await sql<{ days: number }>`select ${dateOf(to)} - ${dateOf(from)} + 1 as days`.execute(db);
  return reportDays(db, to, zone, rows[0]?.days ?? 0);
}
