// @module-tag full
import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeUser } from '../../../test/factories.ts';
import { call, login, provideServer } from '../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;
beforeAll(async () => {
  admin = await login(server);
});

const list = (path: string) => call(server, 'GET', path, {}, { token: admin });

test('a list that takes too long is cancelled, and other lists are served meanwhile', async () => {
  await makeUser(server, { account: 'slow' });
  await server.query(sql`create policy slow on users as restrictive for select using (pg_sleep(60) is not null)`);
  const cancelled = list('user/list');
  for (const path of ['market/list', 'announce/list']) expect(await list(path)).toMatchObject({ code: CODE.ok });
  expect(await cancelled).toMatchObject({ code: CODE.invalid, msg: expect.stringContaining('请缩小范围') });
  await server.query(sql`drop policy slow on users`);
  expect(await list('user/list')).toMatchObject({ code: CODE.ok });
});

test('a list of a locked table says that it can be tried again', async () => {
  await server.app.system.transaction().execute(async (db) => {
    await sql`lock table announce in access exclusive mode`.execute(db);
    expect(await list('announce/list')).toMatchObject({ status: 503, code: CODE.unavailable });
  });
  // The call pauses before one request of it tries again.
  await expect.poll(async () => (await list('announce/list')).code, { timeout: 10_000 }).toBe(CODE.ok);
});
