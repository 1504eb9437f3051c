import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../database/connect.ts';

const DAY_MS = 86_400_000;
/** How far back and ahead of now Node.js and the database must agree. */
const YEARS_MS = 2 * 365.25 * DAY_MS;
/** Time between samples: shorter than any rule between two changes of clocks. */
const STEP_MS = 14 * DAY_MS;
/** Clocks change at multiples of this in UTC. */
const QUARTER_MS = 900_000;

/** Whether a name may be that of a report zone: abbreviations and names of countries are ambiguous. */
const isZoneName = (zone: string): boolean => zone === 'UTC' || zone.includes('/');

/** The report zones that Node.js offers. */
export const offeredZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter(isZoneName)];

interface Sample {
  zone: string;
  /** Unix milliseconds. */
  at: number;
  /** Local time minus UTC, in minutes. */
  offset: number;
}

/** Offsets of a zone by Node.js every two weeks, and on both sides of each change; none if Node.js does not know it. */
function sampleZone(zone: string, now: number): Sample[] {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return [];
  }
  const sampleAt = (at: number): Sample => {
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(format.format(at)) ?? [];
    const offset = Number(hours) * 60 + Number(minutes);
    return { zone, at, offset: sign === '-' ? -offset : offset };
  };
  const first = Math.floor((now - YEARS_MS) / QUARTER_MS) * QUARTER_MS;
  const samples = [sampleAt(first)];
  for (let at = first + STEP_MS; at <= now + YEARS_MS; at += STEP_MS) {
    let before = samples[samples.length - 1] as Sample;
    const after = sampleAt(at);
    let end = after;
    while (before.offset !== end.offset && end.at - before.at > QUARTER_MS) {
      const middle = sampleAt(before.at + Math.floor((end.at - before.at) / QUARTER_MS / 2) * QUARTER_MS);
      if (middle.offset === before.offset) before = middle;
      else end = middle;
    }
    samples.push(before, end, after);
  }
  return samples;
}

/**
 * Finds the zones that cannot cut report days: not the name of an IANA zone with a slash or UTC, unknown to Node.js or the
 * database, or with offsets on which they differ in the two years before and after now.
 */
export async function findUnfitZones(db: Db, zones: readonly string[], now: number): Promise<string[]> {
  const samples: Sample[] = [];
  for (const zone of zones.filter(isZoneName)) {
    samples.push(...sampleZone(zone, now));
    // All zones together take a quarter of a second.
    await nextTurn();
  }
  const { rows } = await sql<{ zone: string }>`
    with known as materialized (select name from pg_timezone_names)
    select z.zone from unnest(${[...zones]}::text[]) with ordinality z(zone, n)
    where not exists (select from known k where k.name = z.zone)
      or z.zone not in (select s.zone from unnest(${samples.map(({ zone }) => zone)}::text[]) s(zone))
      or z.zone in (
        select s.zone
        from unnest(${samples.map(({ zone }) => zone)}::text[], ${samples.map(({ at }) => at)}::bigint[],
          ${samples.map(({ offset }) => offset)}::int[]) s(zone, at, minutes) join known k on k.name = s.zone
        where to_timestamp(s.at / 1000.0) at time zone k.name
          <> to_timestamp(s.at / 1000.0) at time zone 'UTC' + s.minutes * interval '1 minute')
    order by z.n`.execute(db);
  return rows.map(({ zone }) => zone);
}
