import { KYC_FOUND_MAX } from '@hengtai/contract/risk/kyc/calls';
import type { KycFound } from '@hengtai/contract/risk/kyc/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type TestOperator, makeOperator, makeUser } from '../../../../test/factories.ts';
import { submitKyc } from '../../../../test/identity.ts';
import { call, login, provideServer } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { fillIdentityKeys } from './identity-key.jobs.ts';
import { identityKey } from './identity-key.rules.ts';

const server = provideServer({ jobs: false });
let admin: string;
let holder: TestOperator;
let viewer: TestOperator;
let stranger: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  holder = await makeOperator(server, admin, { abilities: [4] });
  viewer = await makeOperator(server, admin, { parent: holder.account, abilities: [1, 3] });
  stranger = await makeOperator(server, admin, { abilities: [4] });
});

const submit = async (name: string, idNumber: string, agent = viewer.account) =>
  submitKyc(server, admin, await makeUser(server, { agent }), { name, idNumber });
const find = (input: object, token = holder.token, key?: string) =>
  call<KycFound>(server, 'POST', 'auth/find', input, { token, ...(key !== undefined && { key }) });
const idsOf = async (input: object, token?: string): Promise<number[]> => {
  const { code, data } = await find(input, token);
  expect([code, data.total]).toEqual([200, data.list.length]);
  return data.list.map(({ id }) => id);
};

test('finds the whole name or number, ignoring case, white space and punctuation, and always masks', async () => {
  const first = await submit('Ada  Lovelace', 'AB-12 34 567');
  const second = await submit('ada\u3000LOVELACE', 'zz-00-11-22');
  await submit('Ada Lovelace King', 'AB-12 34 5678');
  for (const name of ['Ada Lovelace', ' ADA \u3000 lovelace '])
    expect(await idsOf({ name })).toEqual([second.id, first.id]);
  expect(await idsOf({ idNumber: 'ab1234567' })).toEqual([first.id]);
  expect(await idsOf({ name: 'Ada Lovelace', idNumber: 'ZZ001122' })).toEqual([second.id]);
  expect(await idsOf({ name: 'Ada Lovelace', idNumber: 'AB12345678' })).toEqual([]);
  for (const input of [{ name: 'Ada' }, { idNumber: 'AB123456' }, { name: 'Ada%' }])
    expect(await idsOf(input)).toEqual([]);
  for (const token of [holder.token, admin]) {
    const { data } = await find({ idNumber: 'AB-1234567' }, token);
    expect(data.list).toEqual([
      expect.objectContaining({ name: 'A** L**', idNumber: expect.stringMatching(/^\D+67$/) }),
    ]);
    expect(data.list[0]).toMatchObject({ front: '', back: '', holding: '' });
  }
});

test('finds every spelling of a name and a number', async () => {
  const first = await submit('买买提·艾力', '١١٠١٠٥-٤٩١٢٣١-٠٠٧');
  const second = await submit('买买提 ・ 艾力', '１１０１０５１９４９１２３１００７Ｘ');
  const third = await submit('买买提•艾力', '11010519491231007×');
  for (const name of ['买买提‧艾力', '买买提·艾力\u200b'])
    expect(await idsOf({ name })).toEqual([third.id, second.id, first.id]);
  // The same person: 15 digits are expanded, with their check character.
  const expanded = await submit('爱达', identityKey('110105491231007'));
  expect(await idsOf({ idNumber: '110105 491231 007' })).toEqual([expanded.id, first.id]);
  expect(await idsOf({ idNumber: '11010519491231007х' })).toEqual([third.id, second.id]);
});

test('finds submissions that have no keys yet by the number, and all of them after the job', async () => {
  const row = await submit('苏轼', '12-345-67890');
  const late = await submit('苏轼', '１２３４５６７８９０');
  await server.query(sql`update auth set number_key = null, name_key = null where id in (${row.id}, ${late.id})`);
  expect(await idsOf({ idNumber: '1234567890' })).toContain(row.id);
  expect((await find({ name: '苏轼' })).data).toEqual({ list: [], total: 0, keying: true });
  expect((await find({ name: '苏轼' }, stranger.token)).data.keying).toBe(true);
  await fillIdentityKeys(server.app);
  expect((await find({ name: '苏轼' })).data.keying).toBe(false);
  expect(await idsOf({ name: '苏轼', idNumber: '1234567890' })).toEqual([late.id, row.id]);
  expect(await server.query(sql`select id from auth where number_key is null or name_key is null`)).toEqual([]);
});

test('the job goes through more than one step, and leaves a row that another transaction holds', async () => {
  const row = await submit('辛弃疾', 'HELD-1');
  await server.query(sql`
    insert into auth (user_id, agent_id, name, country, id_type, id_number, level, state, created_at, recorded_at, updated_at)
    select user_id, agent_id, '辛弃疾', country, id_type, 'STEP-' || n, level, 2, created_at, recorded_at, updated_at
    from auth, generate_series(1, 1200) n where id = ${row.id}`);
  await server.query(sql`update auth set number_key = null, name_key = null where id = ${row.id}`);
  const unkeyed = async (): Promise<unknown[]> => server.query(sql`select id from auth where number_key is null`);
  await inTransaction(server.app.system, async (db) => {
    await sql`select 1 from auth where id = ${row.id} for update`.execute(db);
    await fillIdentityKeys(server.app);
    expect(await unkeyed()).toEqual([{ id: row.id }]);
  });
  await fillIdentityKeys(server.app);
  expect(await unkeyed()).toEqual([]);
  expect((await find({ name: '辛弃疾' })).data.total).toBe(1201);
});

test('finds submissions of the scope only, and needs the ability', async () => {
  const name = '诸葛孔明';
  const [own, other] = [await submit(name, 'SCOPE-1'), await submit(name, 'SCOPE-2', stranger.account)];
  expect(await idsOf({ name }, admin)).toEqual([other.id, own.id]);
  expect(await idsOf({ name })).toEqual([own.id]);
  expect(await idsOf({ idNumber: 'SCOPE-2' })).toEqual([]);
  expect(await idsOf({ name }, stranger.token)).toEqual([other.id]);
  expect(await find({ name }, viewer.token)).toMatchObject({ code: 403, data: null });
});

test('answers the latest and how many there are', async () => {
  const ids: number[] = [];
  for (let at = 0; at <= KYC_FOUND_MAX; at += 1) ids.push((await submit('许多', `MANY-${at}`)).id);
  const { data } = await find({ name: '许多' });
  expect([data.total, data.list.map(({ id }) => id)]).toEqual([ids.length, ids.slice(1).toReversed()]);
});

test.each([
  [{}, '请输入姓名或证件号码'],
  [{ name: '' }, undefined],
  [{ name: '   ' }, undefined],
  [{ idNumber: '--- ' }, '证件号码格式不正确'],
  [{ name: '\u200b' }, '名称格式不正确'],
  [{ name: 'x'.repeat(101) }, undefined],
  [{ account: 'x' }, undefined],
])('refuses %j', async (input, msg) =>
  expect(await find(input)).toMatchObject({ code: 422, ...(msg !== undefined && { msg }) }),
);

test('is audited with what was searched and how many were found, and stores neither input nor answer', async () => {
  const [name, idNumber] = ['慕容复燕国', 'SECRET-778899'];
  const { account } = await submit(name, idNumber);
  const searches = [{ name }, { idNumber }, { name, idNumber }, { name: `${name}X` }];
  // A repeated key is executed again: it would need the stored input.
  const answers = [];
  for (const input of searches) answers.push(await find(input, holder.token, 'one-key'));
  answers.push(await find({ name, idNumber }, viewer.token, 'one-key'));
  const rows = await Promise.all(answers.map(({ requestId }) => fetchAuditRows(server, { requestId })));
  expect(rows.flat().map(({ operator, result, after, reason }) => [operator, result, after, reason])).toEqual([
    [holder.account, 200, { searched: 'name', found: 1 }, ''],
    [holder.account, 200, { searched: 'idNumber', found: 1 }, ''],
    [holder.account, 200, { searched: 'both', found: 1 }, ''],
    [holder.account, 200, { searched: 'name', found: 0 }, ''],
    [viewer.account, 403, null, ''],
  ]);
  expect(await server.query(sql`select 1 from idempotency where path = 'auth/find'`)).toEqual([]);
  for (const table of ['audit', 'idempotency', 'approval', 'notice']) {
    const [stored] = await server.query(sql<{ text: string }>`
      select coalesce(string_agg(t::text, ' '), '') as text from ${sql.table(table)} t`);
    for (const word of [name, idNumber, 'SECRET778899']) expect(stored?.text).not.toContain(word);
    if (table === 'audit') expect(stored?.text).not.toContain(account);
  }
});
