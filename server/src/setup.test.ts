import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../test/database.ts';
import { type Db, openPool } from './db/connect.ts';
import { firstSettings } from './first-data.ts';
import { setup } from './setup.ts';

let database: TestDatabase;
let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  database = await testDatabase();
  ({ db, end: close } = openPool({ url: database.url, max: 1, name: 'test-setup', onError: () => undefined }));
});
afterAll(async () => {
  await close();
  await database.drop();
});

const start = () =>
  setup({
    databaseUrl: database.url,
    adminAccount: 'admin',
    adminPassword: 'admin-password',
    simulator: false,
    migrate: { appRole: inject('cluster').appRole },
  });
const settings = async () =>
  (await sql<{ id: number; key: string; str: string }>`select id, key, str from config order by id`.execute(db)).rows;

test('a setting that a newer version brought appears at the next start; what was set stays', async () => {
  expect(await start()).toEqual({ created: true });
  const first = await settings();
  expect(first.map(({ key }) => key)).toEqual(firstSettings.map(({ key }) => key));
  const last = first.length;
  await sql`delete from config where key = 'policy.user.second'`.execute(db);
  await sql`update config set str = 'https://our.example/help' where key = 'support.url'`.execute(db);
  for (let again = 0; again < 3; again += 1) expect(await start()).toEqual({ created: false });
  const later = await settings();
  expect(later).toHaveLength(last);
  expect(later.find(({ key }) => key === 'support.url')).toMatchObject({ str: 'https://our.example/help' });
  // Starts leave no gaps among the ids.
  expect(later.at(-1)).toMatchObject({ key: 'policy.user.second', id: last + 1 });
  await sql`insert into config (key, name, group_name, kind, updated_at) values ('next', '', '', 'num', 0)`.execute(db);
  expect((await settings()).at(-1)).toMatchObject({ key: 'next', id: last + 2 });
});
