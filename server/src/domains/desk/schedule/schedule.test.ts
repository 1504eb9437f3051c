import { ABILITY } from '@hengtai/contract/authority/ability';
import { EXPORT, EXPORT_JOBS_MAX } from '@hengtai/contract/desk/export/calls';
import type { ExportRow } from '@hengtai/contract/desk/export/schema';
import type { NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { SCHEDULES_MAX } from '@hengtai/contract/desk/schedule/calls';
import type { ScheduleAdd, ScheduleRow, ScheduleSave } from '@hengtai/contract/desk/schedule/schema';
import { sql } from 'kysely';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { call, login, nextDayAt, provideServer } from '../../../../test/server.ts';
import { handlers } from '../../../modules.ts';
import { makeExports } from '../export/export.jobs.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';
import { runSchedules } from './schedule.jobs.ts';
import { findSlots } from './slot.store.ts';

const server = provideServer({ jobs: false });
let admin: string;
let owner: TestOperator;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeAll(async () => {
  admin = await login(server);
  owner = await makeOperator(server, admin, { abilities: [ABILITY.export, ABILITY.withdraw] });
  await relogin();
});

const daily: ScheduleAdd = {
  list: 'withdraw/list',
  query: 'state=0',
  columns: ['no', 'account'],
  name: '每日提现',
  format: 'csv',
  period: 0,
  day: 1,
  hour: 9,
  range: 0,
};
const add = (change: Partial<ScheduleAdd> = {}, token = owner.token) =>
  call<ScheduleRow>(server, 'POST', 'schedule/add', { ...daily, ...change }, { token });
const list = async (token = owner.token): Promise<ScheduleRow[]> =>
  (await call<ScheduleRow[]>(server, 'GET', 'schedule/list', {}, { token })).data;
const jobs = async (): Promise<ExportRow[]> =>
  (await call<ExportRow[]>(server, 'GET', 'export/list', {}, { token: owner.token })).data;

/** Moves to the hour of a later day and logs in again. */
async function moveTo(hour: number): Promise<void> {
  server.clock.move(nextDayAt(hour, server.clock.now()) - server.clock.now());
  await relogin();
}

async function relogin(): Promise<void> {
  admin = await login(server);
  owner = { ...owner, token: await login(server, owner.account, 'operator-password') };
}

async function forget(): Promise<void> {
  await server.query(sql`delete from schedule`);
  await server.query(sql`delete from export_job`);
}

describe('schedule/add and schedule/save', () => {
  test('saves the list as it is on the screen', async () => {
    const { code, data } = await add();
    expect(code).toBe(200);
    expect(data).toMatchObject({ list: 'withdraw/list', title: '提现记录', enabled: 1, lastAt: null, jobId: null });
    expect(data.nextAt).toBe(nextDayAt(9, server.clock.now() - 9 * HOUR));
    const { id, name, format, period, day, hour, range } = data;
    const change: ScheduleSave = { id, name, format, period, day, hour, range, enabled: 0 };
    const saved = await call<ScheduleRow>(server, 'POST', 'schedule/save', change, { token: owner.token });
    expect(saved.data).toMatchObject({ enabled: 0, nextAt: null, query: 'state=0' });
    await call(server, 'POST', 'schedule/del', { id }, { token: owner.token });
    expect(await list()).toEqual([]);
  });

  test.each<[Partial<ScheduleAdd>, string]>([
    [{ list: 'home/now' }, 'list'],
    [{ query: 'unknown=1' }, 'query'],
    [{ query: 'state=0&state=1' }, 'query'],
    [{ columns: ['password'] }, 'columns'],
    [{ period: 1, day: 8 }, 'day'],
    [{ day: 29 }, 'day'],
    [{ hour: 24 }, 'hour'],
  ])('refuses %j', async (change, field) => {
    expect(await add(change)).toMatchObject({ code: 422, data: [{ field }] });
  });

  test('needs the ability of exports and that of the list', async () => {
    const idle = await makeOperator(server, admin);
    expect((await add({}, idle.token)).code).toBe(403);
    expect((await add({ list: 'report/work/list', query: '', columns: ['operator'] })).code).toBe(403);
    expect((await add({ list: 'report/fund/list', query: '', columns: ['day', 'closing'] })).code).toBe(200);
    await forget();
  });

  test('limits the number of schedules', async () => {
    for (let n = 0; n < SCHEDULES_MAX; n += 1) expect((await add()).code).toBe(200);
    expect(await add()).toMatchObject({ code: 422, data: [{ field: 'name' }] });
    await forget();
  });
});

describe('a run', () => {
  test('is an ordinary export within the scope of the operator', async () => {
    await moveTo(8);
    const [own, foreign] = [
      await makeUser(server, { agent: owner.account, amount: '900' }),
      await makeUser(server, { amount: '900' }),
    ];
    const row = await makeWithdraw(server, admin, own);
    await makeWithdraw(server, admin, foreign);
    await add();
    expect(await runSchedules(server.app)).toBe(false);
    await moveTo(10);
    while (await runSchedules(server.app));
    expect(await jobs()).toMatchObject([{ list: 'withdraw/excel', state: EXPORT.queued, filters: '状态：待审核' }]);
    while (await makeExports(handlers)(server.app, new AbortController().signal));
    const [job] = await jobs();
    expect(job).toMatchObject({ state: EXPORT.done, total: 1, reason: '' });
    const [stored] = await server.query(sql<{ file: string }>`select file from export_job where id = ${job?.id}`);
    const text = await readFile(join(server.app.exports.directory, stored?.file ?? ''), 'utf8');
    expect(text).toContain(row.no);
    expect(text).not.toContain(foreign);
    expect(await list()).toMatchObject([{ jobId: job?.id, jobState: EXPORT.done, reason: '' }]);
    const answer = await notifications();
    expect(answer[0]).toBe('export.done');
    await forget();
  });

  test('happens once for each slot, with any number of processes, and only for the latest one that was missed', async () => {
    for (let n = 0; n < 3; n += 1) await add();
    server.clock.move(5 * DAY);
    await Promise.all(Array.from({ length: 6 }, () => runSchedules(server.app)));
    await relogin();
    expect(await jobs()).toHaveLength(3);
    while (await runSchedules(server.app));
    expect(await jobs()).toHaveLength(3);
    for (const { nextAt } of await list()) expect(nextAt).toBeGreaterThan(server.clock.now());
    server.clock.move(DAY);
    while (await runSchedules(server.app));
    await relogin();
    expect(await jobs()).toHaveLength(6);
    await forget();
  });

  test('takes the slot and creates its job together', async () => {
    await add();
    await moveTo(10);
    await sql.raw('alter table export_job add constraint refuse_all check (false) not valid').execute(server.owner);
    await expect(runSchedules(server.app)).rejects.toMatchObject({ code: '23514' });
    await sql.raw('alter table export_job drop constraint refuse_all').execute(server.owner);
    while (await runSchedules(server.app));
    expect(await jobs()).toHaveLength(1);
    await forget();
  });

  test('without the abilities creates no export and notifies the operator', async () => {
    await add();
    await moveTo(10);
    const input = { id: owner.id, type: ABILITY.export, state: 0 };
    await call(server, 'POST', 'agent/state', input, { token: admin });
    while (await runSchedules(server.app));
    await relogin();
    expect(await server.query(sql`select 1 from export_job`)).toEqual([]);
    expect(await server.query(sql`select reason from schedule`)).toEqual([{ reason: '没有权限执行此操作' }]);
    expect((await notifications())[0]).toBe('schedule.failed');
    await call(server, 'POST', 'agent/state', { ...input, state: 1 }, { token: admin });
    await relogin();
    await forget();
  });

  test('at the limit of jobs is refused with its reason', async () => {
    await add();
    await moveTo(10);
    await server.query(sql`
      insert into export_job (operator_id, list, title, input, filters, format, zone, ip, user_agent, request_id, total,
        created_at, recorded_at, updated_at)
      select ${owner.id}, 'withdraw/excel', 'x', '{}', '', 'csv', 'UTC', '', '', '', 1, 1, 1, 1
      from generate_series(1, ${EXPORT_JOBS_MAX})`);
    while (await runSchedules(server.app));
    expect((await list())[0]?.reason).toContain('已达上限');
    await forget();
  });

  test('of a frozen operator waits; a disabled schedule does not run', async () => {
    const { data } = await add();
    await add();
    await moveTo(10);
    const { list: _list, query: _query, columns: _columns, ...settings } = daily;
    const save = { id: data.id, ...settings, enabled: 0 };
    await call(server, 'POST', 'schedule/save', save, { token: owner.token });
    await server.query(sql`update agent set state = 0 where id = ${owner.id}`);
    while (await runSchedules(server.app));
    expect(await server.query(sql`select 1 from export_job`)).toEqual([]);
    await server.query(sql`update agent set state = 1 where id = ${owner.id}`);
    while (await runSchedules(server.app));
    await relogin();
    expect(await jobs()).toHaveLength(1);
    await forget();
  });

  test('covers the period before its day', async () => {
    await add({ range: 1, query: 'from=5' });
    await moveTo(10);
    const today = nextDayAt(0, server.clock.now()) - DAY;
    while (await runSchedules(server.app));
    const inputs = await server.query(sql<{ input: { from: number; to: number } }>`select input from export_job`);
    expect(inputs.map(({ input: { from, to } }) => [from, to])).toEqual([[today - DAY, today - 1]]);
    await forget();
  });
});

async function notifications(): Promise<string[]> {
  while (await numberNotifications(server.app));
  const { data } = await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: owner.token });
  return data.list.map(({ type }) => type);
}

describe('slots', () => {
  const at = (text: string): number => Date.parse(text);
  const slots = async (timing: { period: number; day: number; hour: number }, now: string) => {
    const found = await findSlots(server.app.system, timing, at(now));
    return Object.fromEntries(Object.entries(found).map(([key, ms]) => [key, new Date(ms).toISOString()]));
  };

  test('are in the zone of the platform', async () => {
    // Thursday 05:00 in Shanghai.
    const now = '2026-01-14T21:00:00Z';
    expect(await slots({ period: 0, day: 1, hour: 5 }, now)).toEqual({
      latest: '2026-01-14T21:00:00.000Z',
      next: '2026-01-15T21:00:00.000Z',
      from: '2026-01-13T16:00:00.000Z',
      to: '2026-01-14T15:59:59.999Z',
    });
    expect(await slots({ period: 1, day: 1, hour: 9 }, now)).toEqual({
      latest: '2026-01-12T01:00:00.000Z',
      next: '2026-01-19T01:00:00.000Z',
      from: '2026-01-04T16:00:00.000Z',
      to: '2026-01-11T15:59:59.999Z',
    });
    expect(await slots({ period: 2, day: 28, hour: 0 }, now)).toEqual({
      latest: '2025-12-27T16:00:00.000Z',
      next: '2026-01-27T16:00:00.000Z',
      from: '2025-11-27T16:00:00.000Z',
      to: '2025-12-27T15:59:59.999Z',
    });
  });

  test('exist once a day when clocks change', async () => {
    await server.query(sql`update report_zone set zone = 'Europe/Berlin'`);
    // 02:00 does not exist on 29 March and exists twice on 25 October.
    const night = { period: 0, day: 1, hour: 2 };
    expect(await slots(night, '2026-03-29T12:00:00Z')).toMatchObject({
      latest: '2026-03-29T01:00:00.000Z',
      next: '2026-03-30T00:00:00.000Z',
    });
    const autumn = await slots(night, '2026-10-25T12:00:00Z');
    expect(autumn).toMatchObject({ next: '2026-10-26T01:00:00.000Z', from: '2026-10-23T22:00:00.000Z' });
    expect(await slots(night, autumn['latest'] ?? '')).toMatchObject({ latest: autumn['latest'] });
    await server.query(sql`update report_zone set zone = 'Asia/Shanghai'`);
  });
});
