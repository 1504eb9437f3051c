import { EVENT_AHEAD_MS } from '@hengtai/contract/gateway/gateway';
import { sql } from 'kysely';
import type { Db } from '../../database/connect.ts';
import { dayStart, reportDayOf } from './report-day.ts';

/** Fetches the zone of the report day at a time. */
export async function fetchReportZone(db: Db, now: number): Promise<string> {
  const { rows } = await sql<{ zone: string }>`
    select zone from report_zone where starts_at <= ${now} and ${now} < ends_at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`No report zone is in force at ${now}.`);
  return row.zone;
}

interface Change {
  /** Key of the zone that is in force today. */
  startsAt: number;
  day: string;
  endsAt: number;
  /** The zone stays: today ends as it would without a change. */
  isNone: boolean;
}

/**
 * Cuts the days after today by another zone. Today ends at the first midnight of that zone at or after its own, so it has 24
 * to 49 hours, and dates that begin meanwhile are skipped. Replaces a change that is not in force yet. The caller has locked
 * the setting, so changes run one after another.
 */
export async function changeReportZone(db: Db, zone: string, now: number): Promise<void> {
  // Events may be this early, and their day may be counted already.
  const at = now + EVENT_AHEAD_MS;
  const { rows } = await sql<Change>`
    with today as (
      select z.starts_at, z.zone, ${reportDayOf(sql`${at}::bigint`)} as day from report_zone z
      where z.starts_at <= ${at} and ${at} < z.ends_at
    ), ordinary as (
      select t.*, ${dayStart(sql`(t.day + 1)`, sql.ref('t.zone'))} as "end" from today t
    )
    select o.starts_at as "startsAt", to_char(o.day, 'YYYY-MM-DD') as day, m.at as "endsAt",
      o.zone = ${zone} and m.at = o."end" as "isNone"
    from ordinary o cross join generate_series(1, 4) n
    cross join lateral (select ${dayStart(sql`(o.day + n)`, sql`${zone}::text`)} as at) m
    where m.at >= o."end" and m.at > ${at} order by m.at limit 1`.execute(db);
  const [change] = rows;
  if (!change) throw new Error(`No report zone is in force at ${at}.`);
  const { startsAt, day, endsAt, isNone } = change;
  await sql`delete from report_zone where starts_at > ${startsAt}`.execute(db);
  if (isNone) {
    await sql`update report_zone set ends_at = default, last_day = default where starts_at = ${startsAt}`.execute(db);
    return;
  }
  await sql`update report_zone set ends_at = ${endsAt}, last_day = ${day} where starts_at = ${startsAt}`.execute(db);
  await sql`insert into report_zone (starts_at, zone) values (${endsAt}, ${zone})`.execute(db);
}
