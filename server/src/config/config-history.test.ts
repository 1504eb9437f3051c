import { ABILITY } from '@hengtai/contract/ability';
import type { ConfigChange, ConfigHistoryRow, ConfigRow } from '@hengtai/contract/config.schema';
import type { Page } from '@hengtai/contract/list';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeOperator } from '../../test/factories.ts';
import { auditOf } from '../../test/look.ts';
import { type TestServer, call, login, testServer } from '../../test/server.ts';

let server: TestServer;
let admin: string;
/** Holds the settings for a tree of its own. */
let keeper: string;
let office: { account: string; token: string };

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  keeper = (await makeOperator(server, admin, { abilities: [ABILITY.platform] })).token;
  office = await makeOperator(server, admin, { abilities: [ABILITY.platform, ABILITY.headquarters] });
});
afterAll(() => server.stop());

async function find(key: string, token = admin): Promise<ConfigRow> {
  const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token });
  const row = data.find((setting) => setting.key === key);
  if (!row) throw new Error(`no setting ${key}`);
  return row;
}
const save = (id: number, input: object, token = admin) =>
  call<ConfigRow>(server, 'POST', 'config/save', { id, ...input }, { token });
const restore = (input: object, token = admin) => call<ConfigRow>(server, 'POST', 'config/restore', input, { token });
const history = async (input: object = {}, token = admin): Promise<ConfigHistoryRow[]> =>
  (await call<Page<ConfigHistoryRow>>(server, 'GET', 'config/history', { size: 200, ...input }, { token })).data.list;
const diff = async (input: object): Promise<ConfigChange[]> =>
  (await call<ConfigChange[]>(server, 'GET', 'config/diff', input, { token: admin })).data;

describe('config/history', () => {
  test('keeps who changed what, from which value to which, and why; the newest first', async () => {
    const { id } = await find('withdraw.limit24h');
    const first = await save(id, { num: '60000', reason: ' 大促期间 ' }, keeper);
    const second = await save(id, { num: '50000.5' }, office.token);
    expect(await history({ id })).toMatchObject([
      {
        configId: id,
        key: 'withdraw.limit24h',
        beforeNum: '60000',
        afterNum: '50000.5',
        by: office.account,
        reason: '',
        restoredId: null,
        requestId: second.requestId,
      },
      { beforeNum: '50000', afterNum: '60000', reason: '大促期间', requestId: first.requestId },
    ]);
    expect(await history({ id, by: office.account })).toHaveLength(1);
    expect(await history({ id: id + 1_000 })).toEqual([]);
    expect(await find('withdraw.limit24h')).toMatchObject({ by: office.account });
    // Who stands outside of one's tree is not named.
    expect(await find('withdraw.limit24h', keeper)).toMatchObject({ by: null });
  });

  test('keeps nothing of a save that changes nothing, or that was refused', async () => {
    const before = await find('withdraw.credentialHours');
    const { id } = before;
    expect(await save(id, { num: before.num, str: '', state: 0 })).toMatchObject({ code: 200 });
    expect(await save(id, { num: '9999' })).toMatchObject({ code: 422 });
    expect(await history({ id })).toEqual([]);
    expect(await find('withdraw.credentialHours')).toEqual(before);
  });

  test('is read by those who oversee the whole house only', async () => {
    for (const [path, input] of [
      ['config/history', {}],
      ['config/diff', { from: 0 }],
    ] as const) {
      expect(await call(server, 'GET', path, input, { token: keeper })).toMatchObject({ code: 403 });
      expect(await call(server, 'GET', path, input, { token: office.token })).toMatchObject({ code: 200 });
    }
  });

  test('cannot be changed by those who serve requests', async () => {
    const { rows } = await sql<{ privilege: string }>`
      select privilege_type as privilege from information_schema.role_table_grants
      where table_name = 'config_history' and grantee like '%\_app' order by 1`.execute(server.owner);
    expect(rows.map(({ privilege }) => privilege)).toEqual(['INSERT', 'SELECT']);
  });
});

describe('config/diff', () => {
  test('says what each setting was at the one moment and at the other', async () => {
    const tolerance = await find('second.tolerance');
    const url = await find('kline.url');
    const from = server.clock.now();
    server.clock.move(1_000);
    await save(tolerance.id, { num: '31' });
    server.clock.move(1_000);
    const middle = server.clock.now();
    server.clock.move(1_000);
    await save(tolerance.id, { num: '32' });
    await save(url.id, { str: 'https://chart.example/' });
    server.clock.move(1_000);
    const all = await diff({ from });
    expect(all.map(({ key, before, after, changes }) => [key, before, after, changes])).toEqual(
      expect.arrayContaining([
        ['second.tolerance', { str: '', num: '30', state: 0 }, { str: '', num: '32', state: 0 }, 2],
        ['kline.url', { str: '', num: '0', state: 0 }, { str: 'https://chart.example/', num: '0', state: 0 }, 1],
      ]),
    );
    expect(all).toHaveLength(2);
    expect(await diff({ from, to: middle })).toMatchObject([{ key: 'second.tolerance', after: { num: '31' } }]);
    expect(await diff({ from: server.clock.now() })).toEqual([]);
    expect(await call(server, 'GET', 'config/diff', { from: 2, to: 1 }, { token: admin })).toMatchObject({ code: 422 });
  });
});

describe('config/restore', () => {
  test('saves the value that a change left, or found, and says in the audit and in the history which', async () => {
    const { id } = await find('second.riskExpiry');
    await save(id, { num: '1' });
    await save(id, { num: '2' });
    const [, oldest] = await history({ id });
    const historyId = oldest?.id;
    const answer = await restore({ id, historyId, reason: '改错了' });
    expect(answer).toMatchObject({ code: 200, data: { num: '1' } });
    expect(await auditOf(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'config.restore', before: { num: '2' }, after: { num: '1', historyId }, reason: '改错了' },
    ]);
    expect(await history({ id, restored: 1 })).toMatchObject([{ afterNum: '1', restoredId: historyId }]);
    expect(await restore({ id, historyId, value: 'before' })).toMatchObject({ code: 200, data: { num: '50000' } });
    const told = await server.query(sql<{ num: string }>`
      select data ->> 'num' as num from command where type = 'config.updated' and ref_id = ${id} order by id`);
    expect(told.map(({ num }) => num)).toEqual(['1', '2', '1', '50000']);
  });

  test('is asked what a save is asked: a value that is out of bounds by now is refused', async () => {
    const { id } = await find('withdraw.credentialHours');
    await save(id, { num: '700' });
    await save(id, { num: '72' });
    const [, change] = await history({ id });
    await server.query(sql`update config set max = 600 where id = ${id}`);
    expect(await restore({ id, historyId: change?.id })).toMatchObject({ code: 422, data: [{ field: 'num' }] });
    await server.query(sql`update config set max = 720 where id = ${id}`);
    expect(await find('withdraw.credentialHours')).toMatchObject({ num: '72' });
  });

  test("of a policy is the admin's; of another setting's change there is none", async () => {
    const { id } = await find('policy.withdraw.pass');
    await save(id, { state: 1 });
    await save(id, { state: 2 });
    const [last] = await history({ id });
    const input = { id, historyId: last?.id };
    expect(await restore(input, office.token)).toMatchObject({ code: 403 });
    expect(await restore(input, keeper)).toMatchObject({ code: 403 });
    const other = await find('withdraw.limit24h');
    expect(await restore({ id: other.id, historyId: last?.id })).toMatchObject({ code: 404 });
    expect(await restore({ id, historyId: 999_999_999 })).toMatchObject({ code: 404 });
    expect(await find('policy.withdraw.pass')).toMatchObject({ state: 2 });
  });
});

describe('a setting that changed meanwhile', () => {
  test('is not overwritten: 409 with who and when', async () => {
    const { id, updatedAt: seen } = await find('second.riskMarket');
    const saved = await save(id, { num: '5', seen });
    expect(saved).toMatchObject({ code: 200 });
    const [change] = await history({ id });
    const moved = {
      code: 409,
      msg: '设置已被修改，当前值：5',
      data: { by: 'admin', at: saved.data.updatedAt },
    };
    expect(await save(id, { num: '6', seen })).toMatchObject(moved);
    expect(await restore({ id, historyId: change?.id, seen })).toMatchObject(moved);
    expect(await save(id, { num: '6', seen: saved.data.updatedAt })).toMatchObject({ code: 200 });
  });
});

test.each([
  ['withdraw.limit24h', { str: 'x' }, 'str'],
  ['withdraw.limit24h', { state: 1 }, 'state'],
  ['kline.url', { num: '1' }, 'num'],
  ['otp.required', { num: '1' }, 'num'],
])('%s takes no %j', async (key, input, field) => {
  const { id } = await find(key);
  expect(await save(id, input)).toMatchObject({ code: 422, data: [{ field }] });
});
