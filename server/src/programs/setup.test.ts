import { DEMO_CAPITAL } from '@hengtai/contract/gateway/simulator';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { checkBook } from '../books/ledger/check.ts';
import { type Db, openPool } from '../database/connect.ts';
import { firstSettings } from './first-data.ts';
import { type SetupOptions, setup } from './setup.ts';

let database: TestDatabase;
let db: Db;
let close: () => Promise<void>;

beforeEach(async () => {
  database = await testDatabase();
  ({ db, end: close } = openPool({ url: database.url, max: 1, name: 'test-setup', onError: () => undefined }));
});
afterEach(async () => {
  await close();
  await database.drop();
});

const runSetup = (options: Partial<SetupOptions> = {}) =>
  setup({
    databaseUrl: database.url,
    adminAccount: 'admin',
    adminPassword: 'admin-password',
    simulator: false,
    migrate: { appRole: inject('cluster').appRole },
    ...options,
  });
const fetchSettings = async () =>
  (await sql<{ id: number; key: string; str: string }>`select id, key, str from config order by id`.execute(db)).rows;

test('the next start adds settings of a newer version and keeps the values of existing ones', async () => {
  expect(await runSetup()).toEqual({ created: true });
  const first = await fetchSettings();
  expect(first.map(({ key }) => key)).toEqual(firstSettings.map(({ key }) => key));
  const last = first.length;
  await sql`delete from config where key = 'policy.user.second'`.execute(db);
  await sql`update config set str = 'https://our.example/help' where key = 'support.url'`.execute(db);
  // An older version had other texts.
  await sql`update config set name = '复核：通过提现', group_name = '旧', remark = '' where key = 'policy.withdraw.pass'`.execute(
    db,
  );
  for (let again = 0; again < 3; again += 1) expect(await runSetup()).toEqual({ created: false });
  const later = await fetchSettings();
  expect(later).toHaveLength(last);
  expect(later.find(({ key }) => key === 'support.url')).toMatchObject({ str: 'https://our.example/help' });
  const { rows: texts } = await sql<{ name: string; group_name: string; remark: string }>`
    select name, group_name, remark from config where key = 'policy.withdraw.pass'`.execute(db);
  expect(texts).toMatchObject([
    { name: '通过提现', group_name: '复核策略', remark: expect.stringMatching(/由管辖该用户的另一位复核员确认。$/) },
  ]);
  // Starts leave no gaps among the ids.
  expect(later.at(-1)).toMatchObject({ key: 'policy.user.second', id: last + 1 });
  await sql`insert into config (key, name, group_name, kind, updated_at) values ('next', '', '', 'num', 0)`.execute(db);
  expect((await fetchSettings()).at(-1)).toMatchObject({ key: 'next', id: last + 2 });
});

test('a start of an older release leaves the texts of a newer one', async () => {
  await runSetup();
  const rename = (name: string) => sql`update config set name = ${name} where key = 'policy.user.second'`.execute(db);
  await sql`insert into schema_migration values (9999, '9999-of-tomorrow', 'x', 0)`.execute(db);
  await rename('名称');
  expect(await runSetup()).toEqual({ created: false });
  const { rows } = await sql<{ name: string }>`select name from config where key = 'policy.user.second'`.execute(db);
  expect(rows).toEqual([{ name: '名称' }]);
  await sql`delete from schema_migration where version = 9999`.execute(db);
});

describe('an installation that was set up with the simulator', () => {
  const fetchDemoOperator = async () =>
    (await sql<{ id: number; state: number }>`select id, state from agent where account = 'fuhe'`.execute(db)).rows[0];

  test('warns when the password of the new admin is easy to guess', async () => {
    expect(await runSetup({ simulator: true, adminPassword: 'admin2024' })).toMatchObject({
      created: true,
      weakness: expect.stringContaining('账号'),
    });
    expect(await runSetup({ simulator: true, adminPassword: 'admin2024' })).toEqual({ created: false });
    expect(await fetchDemoOperator()).toMatchObject({ state: 1 });
  });

  test('has capital, a funded insurance and its bound, booked and audited once', async () => {
    for (let again = 0; again < 2; again += 1) await runSetup({ simulator: true });
    const { rows: balances } = await sql<{ market: string; owner: string; balance: string }>`
      select market_name as market, owner, sum(balance) as balance from account a join market m on m.id = a.market_id
      group by m.id, market_name, owner order by m.id, owner`.execute(db);
    const { USDT: _capital, ...coins } = DEMO_CAPITAL;
    expect(balances).toEqual([
      { market: 'USDT', owner: 'capital', balance: '1000000' },
      { market: 'USDT', owner: 'custody', balance: '-2000000' },
      { market: 'USDT', owner: 'insurance', balance: '1000000' },
      ...Object.entries(coins).flatMap(([market, amount]) => [
        { market, owner: 'capital', balance: amount },
        { market, owner: 'custody', balance: `-${amount}` },
      ]),
    ]);
    expect(await checkBook(db)).toEqual([]);
    const { rows: audited } = await sql`select action, after ->> 'to' as place, reason from audit order by id`.execute(
      db,
    );
    expect(audited).toEqual([
      { action: 'house.transfer', place: 'capital', reason: '演示数据' },
      { action: 'house.transfer', place: 'insurance', reason: '演示数据' },
      ...Object.keys(coins).map(() => ({ action: 'house.transfer', place: 'capital', reason: '演示数据' })),
    ]);
    const { rows } = await sql`select num from config where key = 'house.insuranceBound'`.execute(db);
    expect(rows).toEqual([{ num: '200000' }]);
  });

  test('does not start without the simulator while four-eyes are locked and the demo operator is enabled', async () => {
    await runSetup({ simulator: true });
    await sql`update installation set four_eyes_locked_at = 1`.execute(db);
    await expect(runSetup({ simulator: false })).rejects.toThrow(/fuhe .* SIMULATOR=on/);
    expect(await fetchDemoOperator()).toMatchObject({ state: 1 });
  });

  test('disables the demo operator at the first start without the simulator, and never again', async () => {
    await runSetup({ simulator: true });
    expect(await runSetup({ simulator: false })).toEqual({ created: false, disabled: 'fuhe' });
    expect(await fetchDemoOperator()).toMatchObject({ state: 0 });
    const { rows } = await sql`select action, target_id from audit where action like 'operator.%'`.execute(db);
    expect(rows).toMatchObject([{ action: 'operator.demoDisabled', target_id: (await fetchDemoOperator())?.id }]);
    await sql`update agent set state = 1 where account = 'fuhe'`.execute(db);
    expect(await runSetup({ simulator: false })).toEqual({ created: false });
    expect(await fetchDemoOperator()).toMatchObject({ state: 1 });
  });
});

test('the next start keys the addresses of lists before it serves, and those of older rules again', async () => {
  await runSetup();
  const address = 'EQAk8N2E0Ngn8HhXYFKiCD4toGd4868ZzODGGvGL-vb3mLw1';
  await sql`insert into address_entry (list, network, address, address_key, reason, source, by_account, created_at)
    values (1, '', ${address}, ${address}, '', '', 'admin', 1)`.execute(db);
  const fetchKeys = async () =>
    (
      await sql<{ key: string }>`select k.key from address_entry e join address_entry_key k on k.entry_id = e.id
        where e.address = ${address} order by k.key`.execute(db)
    ).rows.map(({ key }) => key);
  expect(await fetchKeys()).toEqual([]);
  await runSetup();
  const keys = await fetchKeys();
  expect(keys).toContain('ton:0:24f0dd84d0d827f078576052a2083e2da06778f3af19cce0c61af18bfaf6f798');
  await sql`update address_entry_key set key = key || '-old'`.execute(db);
  await sql`update address_entry set rules = 0`.execute(db);
  await runSetup();
  expect(await fetchKeys()).toEqual(keys);
});
