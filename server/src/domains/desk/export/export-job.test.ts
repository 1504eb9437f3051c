// @module-tag full
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { EXPORT, EXPORT_DAYS, EXPORT_JOBS_MAX, exportQueued } from '@hengtai/contract/desk/export/calls';
import type { ExportMade, ExportRow } from '@hengtai/contract/desk/export/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { NotificationsAnswer } from '@hengtai/contract/desk/notify/schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseCsv } from '../../../../test/csv.ts';
import { exportFile, insertRecharges } from '../../../../test/export.ts';
import { type TestOperator, makeOperator, makeUser } from '../../../../test/factories.ts';
import { call, login, provideServer } from '../../../../test/server.ts';
import { readXlsx, dataOf } from '../../../../test/xlsx.ts';
import { numberNotifications } from '../notify/notify.jobs.ts';
import { handlers } from '../../../modules.ts';
import { makeExports, tidyExports } from './export.jobs.ts';

const ROWS = 300;
const UNLIMITED = 1e9;
/** At this rate the first rows are written, but the file is not finished before the test ends. */
const NEARLY_STOPPED = 0.001;

const server = provideServer({ jobs: false, exports: { jobRows: 100 } });
let admin: string;
let maker: TestOperator;
let below: TestOperator;
const make = makeExports(handlers);
const never = new AbortController().signal;

beforeAll(async () => {
  admin = await login(server);
  maker = await makeOperator(server, admin, { account: 'maker', abilities: [10] });
  below = await makeOperator(server, admin, { account: 'below', parent: 'maker', abilities: [10] });
  await makeUser(server, { account: 'long.user', agent: 'below' });
  await makeUser(server, { account: 'other.user' });
  const owners = await server.query(
    sql<{ id: number; agent: number }>`select id, agent_id as agent from users order by id`,
  );
  for (const [n, owner] of owners.entries()) {
    await insertRecharges(
      server,
      Array.from({ length: ROWS }, (_, i) => ({
        no: `${9_000_000_000_000_000_000n + BigInt(i)}${n}`,
        userId: owner.id,
        agentId: owner.agent,
        amount: `${i}.5`,
        remark: i % 2 ? '=cmd|calc' : '',
        createdAt: 1_700_000_000_000 + i * 1000,
      })),
    );
  }
});
beforeEach(async () => {
  server.app.exports.rowsPerSecond = UNLIMITED;
  await server.query(sql`delete from export_job`);
  await rm(server.app.exports.directory, { recursive: true, force: true });
});

const jobIn = (envelope: Envelope | undefined): ExportRow => {
  if (!envelope) throw new Error('The export was sent as a file instead of a job.');
  return (envelope as Envelope<ExportMade>).data.job;
};
const requestJob = async (token: string, input: object = { format: 'csv', sort: 'id' }): Promise<ExportRow> => {
  const { envelope } = await exportFile(server, 'recharge/excel', input, token);
  expect(envelope).toMatchObject({ code: 200, msg: exportQueued(100) });
  return jobIn(envelope);
};
const jobsOf = async (token: string): Promise<ExportRow[]> =>
  (await call<ExportRow[]>(server, 'GET', 'export/list', {}, { token })).data;
const jobOf = async (token: string, id: number): Promise<ExportRow | undefined> =>
  (await jobsOf(token)).find((job) => job.id === id);
const files = (): string[] => {
  const { directory } = server.app.exports;
  return existsSync(directory) ? readdirSync(directory) : [];
};
const download = (token: string, id: number) =>
  server.server.inject({ method: 'GET', url: `${API_BASE}export/download?id=${id}`, headers: { token } });
const act = (token: string, name: 'cancel' | 'remove', id: number) =>
  call<ExportRow>(server, 'POST', `export/${name}`, { id }, { token });
/** Starts to make the next file, and returns when its first rows are written. */
async function startMaking(token: string, id: number): Promise<{ ended: Promise<boolean>; stop: () => void }> {
  server.app.exports.rowsPerSecond = NEARLY_STOPPED;
  const stopController = new AbortController();
  const ended = make(server.app, stopController.signal);
  await vi.waitFor(async () => expect((await jobOf(token, id))?.done).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 50,
  });
  return { ended, stop: () => stopController.abort() };
}
async function logInAgain(): Promise<void> {
  maker = { ...maker, token: await login(server, 'maker', 'operator-password') };
  below = { ...below, token: await login(server, 'below', 'operator-password') };
}
const audited = async (action: string, targetId: number): Promise<AuditRow[]> =>
  (await call<Page<AuditRow>>(server, 'GET', 'audit/list', { action, targetId }, { token: admin })).data.list;

describe('a long list', () => {
  test('becomes a job with a file, a notification and audit rows', async () => {
    const queued = await requestJob(maker.token, {
      format: 'csv',
      sort: 'id',
      state: 0,
      columns: ['no', 'remark', 'account'],
    });
    expect(queued).toMatchObject({
      state: EXPORT.queued,
      total: ROWS,
      done: 0,
      title: '充值记录',
      operator: 'maker',
      filters: '状态：待确认',
    });
    expect((await download(maker.token, queued.id)).json()).toMatchObject({ code: 409, msg: '文件尚未生成完成' });
    expect(await make(server.app, never)).toBe(true);
    const done = await jobOf(maker.token, queued.id);
    expect(done).toMatchObject({ state: EXPORT.done, total: ROWS, done: ROWS });
    expect((done?.expiresAt ?? 0) - (done?.finishedAt ?? 0)).toBe(EXPORT_DAYS * 86_400_000);
    const [file = ''] = files();
    expect(statSync(join(server.app.exports.directory, file))).toMatchObject({ size: done?.size });
    expect(statSync(join(server.app.exports.directory, file)).mode & 0o777).toBe(0o600);
    expect(statSync(server.app.exports.directory).mode & 0o777).toBe(0o700);

    const downloaded = await download(maker.token, queued.id);
    expect(downloaded.headers['content-length']).toBe(String(done?.size));
    expect(downloaded.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(downloaded.headers['cache-control']).toBe('no-store');
    expect(downloaded.headers['content-disposition']).toMatch(/^attachment; filename="recharge-\d{8}-\d{6}\.csv"/);
    server.app.exports.jobRows = 1e9;
    const streamed = await exportFile(
      server,
      'recharge/excel',
      { format: 'csv', sort: 'id', state: 0, columns: ['no', 'remark', 'account'] },
      maker.token,
    );
    server.app.exports.jobRows = 100;
    expect(downloaded.body).toBe(streamed.text);
    const rows = parseCsv(downloaded.body);
    expect(rows).toHaveLength(1 + ROWS);
    expect(rows[2]).toEqual(['90000000000000000010', "'=cmd|calc", 'long.user']);

    expect(await audited('export.job', queued.id)).toMatchObject([
      { operator: 'maker', result: 200, after: { rows: ROWS, format: 'csv' } },
    ]);
    expect(await audited('export', queued.id)).toMatchObject([
      {
        operator: 'maker',
        result: 200,
        targetType: 'export',
        after: { list: 'recharge/excel', rows: ROWS, query: { sort: 'id', state: 0 } },
      },
    ]);
    await numberNotifications(server.app);
    const notificationsOf = async (token: string): Promise<string[]> =>
      (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token })).data.list
        .filter(({ refType, refId }) => refType === 'export' && refId === queued.id)
        .map(({ type }) => type);
    expect(await notificationsOf(maker.token)).toEqual(['export.done']);
    expect([await notificationsOf(admin), await notificationsOf(below.token)]).toEqual([[], []]);
  });

  test('notifies its maker also when the maker has the full scope', async () => {
    const { id } = await requestJob(admin);
    await make(server.app, never);
    await numberNotifications(server.app);
    const { list } = (await call<NotificationsAnswer>(server, 'GET', 'notify/facts', {}, { token: admin })).data;
    expect(list[0]).toMatchObject({ type: 'export.done', refId: id, detail: '充值记录' });
  });

  test('as a workbook is readable and has its notes', async () => {
    const { id } = await requestJob(maker.token, {});
    await make(server.app, never);
    const sheets = readXlsx((await download(maker.token, id)).rawPayload);
    expect(sheets.map(({ name }) => name)).toEqual(['充值记录', '说明']);
    expect(dataOf(sheets[0])).toHaveLength(1 + ROWS);
  });

  test('contains the rows of the time when its file is made', async () => {
    const forms = [{ format: 'csv', sort: 'id' }, { sort: 'id' }];
    const jobs = [];
    for (const form of forms) jobs.push(await requestJob(maker.token, form));
    const [one] = await server.query(
      sql<{
        user: number;
        agent: number;
      }>`select user_id as "user", agent_id as agent from recharge order by id limit 1`,
    );
    await insertRecharges(server, [
      { no: '9100000000000000000', userId: one?.user ?? 0, agentId: one?.agent ?? 0, createdAt: 1_700_000_000_000 },
    ]);
    for (const { id } of jobs) {
      await make(server.app, never);
      expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.done, total: ROWS + 1, done: ROWS + 1 });
    }
    expect(parseCsv((await download(maker.token, jobs[0]?.id ?? 0)).body)).toHaveLength(ROWS + 2);
    await server.query(sql`delete from recharge where no = '9100000000000000000'`);
  });

  test('below the limit is sent as a file, without a job', async () => {
    expect((await exportFile(server, 'market/excel', {}, maker.token)).envelope).toBeUndefined();
    expect(await jobsOf(maker.token)).toEqual([]);
  });
});

describe('a job', () => {
  test('can be cancelled while it is queued or running, and leaves no file', async () => {
    const waiting = await requestJob(maker.token);
    expect(await act(maker.token, 'cancel', waiting.id)).toMatchObject({
      code: 200,
      data: { state: EXPORT.cancelled },
    });
    expect(await make(server.app, never)).toBe(false);
    const { id } = await requestJob(maker.token);
    const { ended } = await startMaking(maker.token, id);
    expect(files()).toHaveLength(1);
    expect(await act(maker.token, 'remove', id)).toMatchObject({ code: 409, msg: '请先取消任务再删除' });
    expect((await act(maker.token, 'cancel', id)).code).toBe(200);
    await ended;
    expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.cancelled });
    expect(files()).toEqual([]);
    expect(await act(maker.token, 'cancel', id)).toMatchObject({ code: 409, msg: '任务已结束' });
    expect((await download(maker.token, id)).json()).toMatchObject({ code: 409 });
    expect(await audited('export.cancel', id)).toMatchObject([{ before: { state: 1 }, after: { state: 4 } }]);
  });

  test('returns to the queue when the process stops, and is restarted by the next', async () => {
    const { id } = await requestJob(maker.token);
    const { ended, stop } = await startMaking(maker.token, id);
    stop();
    expect(await ended).toBe(false);
    expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.queued, done: 0 });
    expect(files()).toEqual([]);
    server.app.exports.rowsPerSecond = UNLIMITED;
    await make(server.app, never);
    expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.done, done: ROWS });
  });

  test('fails when its maker loses the ability to export', async () => {
    const { id } = await requestJob(maker.token);
    const { ended } = await startMaking(maker.token, id);
    await call(server, 'POST', 'agent/state', { id: maker.id, type: 10, state: 0 }, { token: admin });
    await ended;
    // Agents below the maker lose the ability too.
    for (const { id: agent } of [maker, below])
      await call(server, 'POST', 'agent/state', { id: agent, type: 10, state: 1 }, { token: admin });
    await logInAgain();
    expect(await jobOf(maker.token, id)).toMatchObject({
      state: EXPORT.failed,
      reason: '权限或数据范围已变化，任务已终止',
    });
    expect(files()).toEqual([]);
  });

  test('has the limit that the identity provider set on the session of the request', async () => {
    const { id } = await requestJob(maker.token);
    // Not even the ability to export.
    await server.query(sql`update export_job set allowed_abilities = '{}' where id = ${id}`);
    await make(server.app, never);
    expect(await jobOf(maker.token, id)).toMatchObject({
      state: EXPORT.failed,
      reason: '权限或数据范围已变化，任务已终止',
    });
    expect(files()).toEqual([]);
  });

  test('can be downloaded only by its maker, and only while the maker has the scope of the request', async () => {
    const { id } = await requestJob(maker.token);
    await make(server.app, never);
    expect((await download(below.token, id)).json()).toMatchObject({ code: 404 });
    expect((await download(admin, id)).json()).toMatchObject({ code: 404 });
    const moved = await call(
      server,
      'POST',
      'agent/parent/change',
      { id: below.id, parent: 'admin' },
      { token: admin },
    );
    expect(moved.msg).toBe('操作成功');
    const token = await login(server, 'maker', 'operator-password');
    expect((await download(token, id)).json()).toMatchObject({
      code: 403,
      msg: '您的权限或数据范围已变化，不能再下载此文件',
    });
    expect(await audited('export.download', id)).toMatchObject([{ result: 403, operator: 'maker' }]);
    await call(server, 'POST', 'agent/parent/change', { id: below.id, parent: 'maker' }, { token: admin });
    await logInAgain();
    expect((await download(maker.token, id)).statusCode).toBe(200);
  });

  test('fails with a reason after too many interrupted attempts', async () => {
    const { id } = await requestJob(maker.token);
    await server.query(sql`update export_job set attempt = 3, state = 1 where id = ${id}`);
    await make(server.app, never);
    expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.failed, reason: '多次被中断，已放弃' });
  });

  test('fails with a reason when its file exceeds the remaining bytes of its maker, before all rows are read', async () => {
    const full = await requestJob(maker.token);
    await make(server.app, never);
    await server.query(sql`update export_job set size = ${2 * 1024 ** 3 - 100} where id = ${full.id}`);
    await server.query(sql`update recharge set address = repeat('T', 30000)`);
    const { id } = await requestJob(maker.token);
    await make(server.app, never);
    await server.query(sql`update recharge set address = 'T-1'`);
    expect(await jobOf(maker.token, id)).toMatchObject({
      state: EXPORT.failed,
      reason: '文件超过每人可保存的总大小，请缩小范围或删除旧文件',
    });
    expect(files()).toEqual([`${full.id}-1.csv`]);
  });

  test('fails with a reason when its file cannot be written, and the server keeps running', async () => {
    const { id } = await requestJob(maker.token);
    await writeFile(server.app.exports.directory, 'no directory');
    await make(server.app, never);
    expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.failed, reason: '生成文件时出错，请重试' });
    expect((await call(server, 'GET', 'recharge/list', {}, { token: maker.token })).code).toBe(200);
  });
});

describe('a file', () => {
  test('is deleted when it expires', async () => {
    const { id } = await requestJob(maker.token);
    await make(server.app, never);
    expect(files()).toHaveLength(1);
    await server.query(sql`update export_job set expires_at = ${server.clock.now()} where id = ${id}`);
    expect((await download(maker.token, id)).json()).toMatchObject({
      code: 409,
      msg: '文件已过期或已删除，请重新导出',
    });
    await make(server.app, never);
    await tidyExports(server.app);
    expect(files()).toEqual([]);
    expect(await jobOf(maker.token, id)).toMatchObject({ state: EXPORT.expired });
  });

  test('is deleted with its job, as are files without a job; foreign files stay', async () => {
    const [one, two] = [await requestJob(maker.token), await requestJob(maker.token)];
    await make(server.app, never);
    await make(server.app, never);
    const { directory } = server.app.exports;
    await writeFile(join(directory, '999999-1.xlsx.part'), 'left behind');
    await writeFile(join(directory, 'notes.txt'), 'not ours');
    expect((await act(maker.token, 'remove', one.id)).code).toBe(200);
    await tidyExports(server.app);
    expect(files().toSorted()).toEqual([`${two.id}-1.csv`, 'notes.txt']);
    expect((await download(maker.token, two.id)).statusCode).toBe(200);
    expect(await jobOf(maker.token, one.id)).toBeUndefined();
  });

  test('on another machine is refused with 503 and not audited as downloaded', async () => {
    const { id } = await requestJob(maker.token);
    await make(server.app, never);
    await rm(server.app.exports.directory, { recursive: true });
    const answer = await download(maker.token, id);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      503,
      { code: 503, msg: '文件不在本台服务器上，请稍后再试或重新导出' },
    ]);
    expect(await audited('export', id)).toEqual([]);
  });
});

test('refuses a job above the number of jobs or bytes per operator', async () => {
  for (let i = 0; i < EXPORT_JOBS_MAX; i += 1) await requestJob(maker.token);
  const refused = async (token: string) => (await exportFile(server, 'recharge/excel', {}, token)).envelope;
  expect(await refused(maker.token)).toMatchObject({
    code: 429,
    msg: '您的导出任务或文件已达上限，请先在「导出任务」中删除部分任务',
  });
  await requestJob(below.token);
  await server.query(sql`delete from export_job where operator_id = ${maker.id}`);
  const { id } = await requestJob(maker.token);
  await server.query(
    sql`update export_job set state = 2, size = ${2 * 1024 ** 3}, file = 'x', expires_at = ${server.clock.now() + 1e6} where id = ${id}`,
  );
  expect(await refused(maker.token)).toMatchObject({ code: 429 });
});
