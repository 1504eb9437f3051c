// @module-tag full
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { ExportRow } from '@hengtai/contract/desk/export/schema';
import type { ScheduleAdd, ScheduleRow } from '@hengtai/contract/desk/schedule/schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseCsv } from '../../../../test/csv.ts';
import { PASSWORD, type TestOperator, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { call, login, provideServer } from '../../../../test/server.ts';
import { handlers } from '../../../modules.ts';
import { makeExports, tidyExports } from '../export/export.jobs.ts';
import { runSchedules } from './schedule.jobs.ts';

// The files of schedules: what they are called, who may fetch them, what is in them, and when they are gone.

const server = provideServer({ jobs: false });
let admin: string;
let above: TestOperator;
let owner: TestOperator;
let below: TestOperator;
const DAY = 86_400_000;
const FORMULA = '=HYPERLINK("https://evil.example","x")';

beforeAll(async () => {
  admin = await login(server);
  const abilities = [ABILITY.export, ABILITY.withdraw];
  above = await makeOperator(server, admin, { abilities });
  owner = await makeOperator(server, admin, { abilities, parent: above.account });
  below = await makeOperator(server, admin, { abilities, parent: owner.account });
  const user = await makeUser(server, { agent: owner.account, amount: '900' });
  const { id } = await makeWithdraw(server, admin, user);
  await call(server, 'POST', 'withdraw/reject', { id, reason: FORMULA }, { token: admin });
});
beforeEach(async () => {
  await server.query(sql`delete from schedule`);
  await server.query(sql`delete from export_job`);
  await tidyExports(server.app);
});

const daily: ScheduleAdd = {
  list: 'withdraw/list',
  query: '',
  columns: ['no', 'reason'],
  name: '每日',
  format: 'csv',
  period: 0,
  day: 1,
  hour: 9,
  range: 0,
};

async function loginAll(): Promise<void> {
  admin = await login(server);
  for (const one of [above, owner, below]) one.token = await login(server, one.account, PASSWORD);
}

/** Lets the schedules of a day run and makes their files. @returns the newest job of the owner */
async function runDay(): Promise<ExportRow> {
  server.clock.move(DAY);
  while (await runSchedules(server.app));
  while (await makeExports(handlers)(server.app, new AbortController().signal));
  await loginAll();
  const [job] = await listJobs(owner.token);
  if (!job) throw new Error('the schedule made no job');
  return job;
}

const add = (change: Partial<ScheduleAdd> = {}) =>
  call<ScheduleRow>(server, 'POST', 'schedule/add', { ...daily, ...change }, { token: owner.token });
const listJobs = async (token: string): Promise<ExportRow[]> =>
  (await call<ExportRow[]>(server, 'GET', 'export/list', {}, { token })).data;
const download = (token: string, id: number | string) =>
  server.server.inject({ method: 'GET', url: `${API_BASE}export/download?id=${id}`, headers: { token } });
const files = (): string[] => readdirSync(server.app.exports.directory);

describe('a name of a schedule', () => {
  test('is neither in the path nor in the headers of its file', async () => {
    const names = ['../../../outside', '"; filename="y.exe', '=cmd|calc', '<svg onload=x>'];
    for (const name of names) expect(await add({ name })).toMatchObject({ code: 200, data: { name } });
    await runDay();
    const jobs = await listJobs(owner.token);
    expect(files().toSorted()).toEqual(jobs.map(({ id }) => `${id}-1.csv`).toSorted());
    expect(jobs).toHaveLength(names.length);
    expect(existsSync(join(dirname(server.app.exports.directory), 'outside'))).toBe(false);
    for (const { id } of jobs) {
      const { statusCode, headers } = await download(owner.token, id);
      expect(statusCode).toBe(200);
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="withdraw-[\d-]+\.csv"; filename\*=UTF-8''[A-Z\d%.-]+\.csv$/,
      );
    }
  });

  test.each(['a\r\nset-cookie: x=1', 'a\u0000b', ' a', ''])('%j is refused', async (name) => {
    expect(await add({ name })).toMatchObject({ code: 422, data: [{ field: 'name' }] });
  });
});

describe('the file', () => {
  test('has no formula, and is fetched, listed and removed by its owner only, by the number of its job', async () => {
    await add();
    const { id } = await runDay();
    const rows = parseCsv((await download(owner.token, id)).body);
    expect(rows.map(([, reason]) => reason)).toEqual(['原因', `'${FORMULA}`]);
    for (const { token } of [above, below, { token: admin }]) {
      expect(await listJobs(token)).toEqual([]);
      expect((await download(token, id)).json()).toMatchObject({ code: 404 });
      for (const name of ['cancel', 'remove'])
        expect(await call(server, 'POST', `export/${name}`, { id }, { token })).toMatchObject({ code: 404 });
    }
    expect((await download('', id)).json()).toMatchObject({ code: 400 });
    for (const path of ['..%2faudit-key.json', `${id}-1.csv`, `${id}%00`, '-1'])
      expect((await download(owner.token, path)).json()).toMatchObject({ code: 422 });
    expect((await download(owner.token, id + 1)).json()).toMatchObject({ code: 404 });
  });

  test('needs the ability of exports at the time of the download', async () => {
    await add();
    const { id } = await runDay();
    const set = (state: 0 | 1, { id: agentId } = owner) =>
      call(server, 'POST', 'agent/state', { id: agentId, type: ABILITY.export, state }, { token: admin });
    await set(0);
    owner.token = await login(server, owner.account, PASSWORD);
    expect((await download(owner.token, id)).json()).toMatchObject({ code: 403 });
    // The branch lost it as well.
    for (const one of [owner, below]) await set(1, one);
    await loginAll();
    expect((await download(owner.token, id)).statusCode).toBe(200);
  });

  test('made with the scope of the whole house is not fetched without it', async () => {
    const set = (abilities: readonly number[]) =>
      server.query(sql`update agent set abilities = ${[...abilities]}::int[] where id = ${owner.id}`);
    await set([ABILITY.export, ABILITY.withdraw, ABILITY.headquarters]);
    await add();
    const { id } = await runDay();
    expect((await download(owner.token, id)).statusCode).toBe(200);
    await set([ABILITY.export, ABILITY.withdraw]);
    expect((await download(owner.token, id)).json()).toMatchObject({ code: 403 });
  });

  test('stays with its job when the schedule is deleted, and goes with the job', async () => {
    const { data } = await add();
    const { id } = await runDay();
    await call(server, 'POST', 'schedule/del', { id: data.id }, { token: owner.token });
    await tidyExports(server.app);
    expect((await download(owner.token, id)).statusCode).toBe(200);
    expect(await call(server, 'POST', 'export/remove', { id }, { token: owner.token })).toMatchObject({ code: 200 });
    expect((await download(owner.token, id)).json()).toMatchObject({ code: 404 });
    await tidyExports(server.app);
    expect(files()).toEqual([]);
    server.clock.move(DAY);
    expect(await runSchedules(server.app)).toBe(false);
    await loginAll();
  });

  test('of a deleted operator is out of reach of its replacement, and no further one is made', async () => {
    await server.query(sql`update config set state = 0 where key = 'policy.agent.del'`);
    const leaving = await makeOperator(server, admin, {
      abilities: [ABILITY.export, ABILITY.withdraw],
      parent: owner.account,
    });
    await call(server, 'POST', 'schedule/add', daily, { token: leaving.token });
    server.clock.move(DAY);
    while (await runSchedules(server.app));
    while (await makeExports(handlers)(server.app, new AbortController().signal));
    await loginAll();
    const [job] = await server.query(sql<{ id: number }>`select id from export_job where operator_id = ${leaving.id}`);
    const del = { deleteId: leaving.id, replaceAccount: owner.account };
    expect(await call(server, 'POST', 'agent/del', del, { token: admin })).toMatchObject({ code: 200 });
    expect((await download(owner.token, job?.id ?? 0)).json()).toMatchObject({ code: 404 });
    expect((await download(leaving.token, job?.id ?? 0)).json()).toMatchObject({ code: 400 });
    server.clock.move(DAY);
    expect(await runSchedules(server.app)).toBe(false);
    await loginAll();
  });
});
