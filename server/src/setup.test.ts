import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../test/database.ts';
import { type Db, openPool } from './db/connect.ts';
import { firstSettings } from './first-data.ts';
import { type SetupOptions, setup } from './setup.ts';

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

const start = (options: Partial<SetupOptions> = {}) =>
  setup({
    databaseUrl: database.url,
    adminAccount: 'admin',
    adminPassword: 'admin-password',
    simulator: false,
    migrate: { appRole: inject('cluster').appRole },
    ...options,
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

describe('an installation that began with the simulator', () => {
  let demo: TestDatabase;
  let of: Db;
  let end: () => Promise<void>;

  beforeAll(async () => {
    demo = await testDatabase();
    ({ db: of, end } = openPool({ url: demo.url, max: 1, name: 'test-demo', onError: () => undefined }));
  });
  afterAll(async () => {
    await end();
    await demo.drop();
  });

  const run = (options: Partial<SetupOptions>) => start({ databaseUrl: demo.url, ...options });
  const second = async () =>
    (await sql<{ id: number; state: number }>`select id, state from agent where account = 'fuhe'`.execute(of)).rows[0];

  test('says when the password of the new admin is easy to guess', async () => {
    expect(await run({ simulator: true, adminPassword: 'admin2024' })).toMatchObject({
      created: true,
      weakness: expect.stringContaining('账号'),
    });
    expect(await run({ simulator: true, adminPassword: 'admin2024' })).toEqual({ created: false });
    expect(await second()).toMatchObject({ state: 1 });
  });

  test('does not start without the simulator while four-eyes are locked and the demo operator is enabled', async () => {
    await sql`update installation set four_eyes_locked_at = 1`.execute(of);
    await expect(run({ simulator: false })).rejects.toThrow(/fuhe .* SIMULATOR=on/);
    expect(await second()).toMatchObject({ state: 1 });
    await sql`update installation set four_eyes_locked_at = null`.execute(of);
  });

  test('disables the demo operator at the first start without it, and only then', async () => {
    expect(await run({ simulator: false })).toEqual({ created: false, disabled: 'fuhe' });
    expect(await second()).toMatchObject({ state: 0 });
    const { rows } = await sql`select action, target_id from audit where action like 'operator.%'`.execute(of);
    expect(rows).toMatchObject([{ action: 'operator.demoDisabled', target_id: (await second())?.id }]);
    await sql`update agent set state = 1 where account = 'fuhe'`.execute(of);
    expect(await run({ simulator: false })).toEqual({ created: false });
    expect(await second()).toMatchObject({ state: 1 });
  });
});
