// @module-tag soak
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { REPORT_ZONE } from '@hengtai/contract/desk/config/calls';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeOperator } from '../../../test/factories.ts';
import { call, login, provideServer } from '../../../test/server.ts';
import { sized } from '../../../../testing/level.ts';
import { isOnReportDay, reportDayOf, reportDays, reportDaysOf } from './report-day.ts';
import { changeReportZone, fetchReportZone } from './report-zone.ts';
import { findUnfitZones, offeredZones } from './zone-agreement.ts';

const server = provideServer({ jobs: false });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});
beforeEach(async () => {
  await server.query(sql`delete from report_zone`);
  await server.query(sql`insert into report_zone (starts_at, zone) values (0, 'Asia/Shanghai')`);
});

const at = (iso: string): number => Date.parse(iso);
const daysOf = async (from: string, to: string) =>
  (await reportDaysOf(server.owner, at(from), at(to))).map(({ day, start, end }) => [
    day,
    new Date(start).toISOString().slice(5, 16),
    (end - start) / HOUR,
  ]);
const change = (zone: string, now: string) => changeReportZone(server.owner, zone, at(now));

describe('a change of the report zone', () => {
  const NOON = '2026-12-01T04:00:00Z';

  test.each([
    // Midnight in UTC is eight hours later.
    [
      'UTC',
      [
        ['2026-12-01', '11-30T16:00', 32],
        ['2026-12-02', '12-02T00:00', 24],
      ],
    ],
    // The first midnight of Tokyo after that of Shanghai is the next one, so a date is skipped.
    [
      'Asia/Tokyo',
      [
        ['2026-12-01', '11-30T16:00', 47],
        ['2026-12-03', '12-02T15:00', 24],
      ],
    ],
    [
      'Asia/Taipei',
      [
        ['2026-12-01', '11-30T16:00', 24],
        ['2026-12-02', '12-01T16:00', 24],
      ],
    ],
    [
      'Asia/Kolkata',
      [
        ['2026-12-01', '11-30T16:00', 26.5],
        ['2026-12-02', '12-01T18:30', 24],
      ],
    ],
  ] as const)('to %s lengthens the day on which it is made', async (zone, days) => {
    const before = await daysOf('2026-11-20T00:00:00Z', '2026-11-30T15:00:00Z');
    await change(zone, NOON);
    expect((await daysOf(NOON, '2026-12-04T00:00:00Z')).slice(0, 2)).toEqual(days);
    expect(await daysOf('2026-11-20T00:00:00Z', '2026-11-30T15:00:00Z')).toEqual(before);
    expect(await fetchReportZone(server.owner, at(NOON))).toBe('Asia/Shanghai');
    expect(await fetchReportZone(server.owner, at('2026-12-03T00:00:00Z'))).toBe(zone);
  });

  test('far to the west does not give two days one date', async () => {
    await server.query(sql`update report_zone set zone = 'Pacific/Kiritimati'`);
    await change('Pacific/Pago_Pago', '2026-12-01T00:00:00Z');
    expect(await daysOf('2026-12-01T00:00:00Z', '2026-12-03T11:00:00Z')).toEqual([
      ['2026-12-01', '11-30T10:00', 49],
      ['2026-12-02', '12-02T11:00', 24],
      ['2026-12-03', '12-03T11:00', 24],
    ]);
  });

  test('replaces one that is not in force yet, and is undone by the present zone', async () => {
    const before = await daysOf(NOON, '2026-12-05T00:00:00Z');
    await change('UTC', NOON);
    await change('Asia/Kolkata', NOON);
    expect((await daysOf(NOON, NOON))[0]).toEqual(['2026-12-01', '11-30T16:00', 26.5]);
    await change('Asia/Shanghai', NOON);
    expect(await daysOf(NOON, '2026-12-05T00:00:00Z')).toEqual(before);
    // After its ordinary end a lengthened day ends with the next midnight.
    await change('UTC', NOON);
    await change('Asia/Shanghai', '2026-12-01T20:00:00Z');
    expect(await daysOf(NOON, '2026-12-02T17:00:00Z')).toEqual([
      ['2026-12-01', '11-30T16:00', 48],
      ['2026-12-03', '12-02T16:00', 24],
    ]);
  });

  const zones = [
    'Asia/Shanghai',
    'UTC',
    'America/Havana',
    'America/Santiago',
    'Atlantic/Azores',
    'Asia/Kathmandu',
    'Pacific/Auckland',
  ];
  test('leaves days without gaps, overlaps or repeated dates, and those that have ended as they were', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...zones), fc.integer({ min: 1, max: 80 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), steps, async (offset, changes) => {
        await server.query(sql`delete from report_zone`);
        await server.query(sql`insert into report_zone (starts_at, zone) values (0, 'Asia/Shanghai')`);
        let now = at('2026-01-01T00:00:00Z') + offset * DAY;
        const first = now - 3 * DAY;
        for (const [zone, hours] of changes) {
          const before = (await reportDaysOf(server.owner, first, now)).filter(({ end }) => end <= now);
          await changeReportZone(server.owner, zone, now);
          const after = await reportDaysOf(server.owner, first, now);
          expect(after.slice(0, before.length)).toEqual(before);
          now += hours * HOUR;
        }
        const days = await reportDaysOf(server.owner, first, now + 5 * DAY);
        for (const [index, { day, start, end }] of days.entries()) {
          const next = days[index + 1];
          if (next) expect([next.start, next.day > day]).toEqual([end, true]);
          const [found] = await server.query<Record<string, unknown>>(sql`
            select to_char(${reportDayOf(sql`${start}::bigint`)}, 'YYYY-MM-DD') as first,
              to_char(${reportDayOf(sql`${end - 1}::bigint`)}, 'YYYY-MM-DD') as last,
              (select array_agg(t.at order by t.at) from unnest(array[${start - 1}, ${start}, ${end - 1}, ${end}]::bigint[]) t(at)
                where ${isOnReportDay('t.at', day)}) as on_day`);
          expect(found).toEqual({ first: day, last: day, on_day: [start, end - 1] });
        }
        expect(await reportDays(server.owner, now, 3)).toEqual(
          (await reportDaysOf(server.owner, first, now)).slice(-3),
        );
      }),
      { numRuns: sized({ full: 10, long: 100 }) },
    );
  });
});

describe('the setting', () => {
  const find = async () => {
    const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin });
    const row = data.find(({ key }) => key === REPORT_ZONE);
    if (!row) throw new Error('There is no setting of the report zone.');
    return row;
  };
  const save = async (str: string, token = admin) =>
    call<ConfigRow>(server, 'POST', 'config/save', { id: (await find()).id, str }, { token });

  test('changes the zone of the days after today', async () => {
    expect(await find()).toMatchObject({ str: 'Asia/Shanghai', editable: 1 });
    expect(await save('Asia/Kolkata')).toMatchObject({ code: 200, data: { str: 'Asia/Kolkata' } });
    const [today] = await reportDays(server.owner, server.clock.now(), 1);
    expect((today?.end ?? 0) - (today?.start ?? 0)).toBe(26.5 * HOUR);
    expect(await save('Asia/Shanghai')).toMatchObject({ code: 200 });
    expect(await server.query(sql`select zone from report_zone`)).toEqual([{ zone: 'Asia/Shanghai' }]);
  });

  test.each(['', 'Nowhere/Else', 'CET', 'PRC', 'asia/shanghai', 'posix/Asia/Tokyo', 'GMT+8'])(
    'refuses %j',
    async (str) => {
      expect(await save(str)).toMatchObject({ code: 422, data: [{ field: 'str' }] });
      expect(await find()).toMatchObject({ str: 'Asia/Shanghai' });
    },
  );

  test('is that of the admin alone', async () => {
    const holder = await makeOperator(server, admin, { abilities: [9] });
    expect(await save('UTC', holder.token)).toMatchObject({ code: 403 });
  });
});

test('a zone on which the database differs is not offered', async () => {
  const now = at('2026-12-01T00:00:00Z');
  expect(await findUnfitZones(server.owner, ['UTC', 'Asia/Shanghai', 'America/Havana', 'Asia/Kolkata'], now)).toEqual(
    [],
  );
  expect(offeredZones().length).toBeGreaterThan(300);
  // Node.js takes Tokyo for Brisbane, as if a law had changed.
  const { DateTimeFormat } = Intl;
  const format = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (locales, options) {
    return new DateTimeFormat(locales, {
      ...options,
      timeZone: options?.timeZone === 'Asia/Tokyo' ? 'Australia/Brisbane' : options?.timeZone,
    });
  });
  try {
    expect(await findUnfitZones(server.owner, ['Asia/Tokyo', 'Europe/London'], now)).toEqual(['Asia/Tokyo']);
  } finally {
    format.mockRestore();
  }
});
