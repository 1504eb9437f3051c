import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ConfigChange, ConfigHistoryRow, ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { call, login, provideServer } from '../../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;
/** Holds the settings ability but sees only its own tree. */
let branchOperator: string;
let office: { account: string; token: string };

beforeAll(async () => {
  admin = await login(server);
  branchOperator = (await makeOperator(server, admin, { abilities: [ABILITY.platform] })).token;
  office = await makeOperator(server, admin, { abilities: [ABILITY.platform, ABILITY.headquarters] });
});

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
  test('lists operator, old and new value and reason of each change, newest first', async () => {
    const { id } = await find('withdraw.limit24h');
    const first = await save(id, { num: '60000', reason: ' 大促期间 ' }, branchOperator);
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
    // Operators outside the reader's scope are hidden.
    expect(await find('withdraw.limit24h', branchOperator)).toMatchObject({ by: null });
  });

  test('has no row for a refused save or one without a change', async () => {
    const before = await find('withdraw.credentialHours');
    const { id } = before;
    expect(await save(id, { num: before.num, str: '', state: 0 })).toMatchObject({ code: 200 });
    expect(await save(id, { num: '9999' })).toMatchObject({ code: 422 });
    expect(await history({ id })).toEqual([]);
    expect(await find('withdraw.credentialHours')).toEqual(before);
  });

  test('is append-only for the database role that serves requests', async () => {
    const { rows } = await sql<{ privilege: string }>`
      select privilege_type as privilege from information_schema.role_table_grants
      where table_name = 'config_history' and grantee like '%\_app' order by 1`.execute(server.owner);
    expect(rows.map(({ privilege }) => privilege)).toEqual(['INSERT', 'SELECT']);
  });
});

describe('config/diff', () => {
  test('returns the value of each changed setting at both times', async () => {
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
  test('restores the value before or after a change and records the change in audit and history', async () => {
    const { id } = await find('second.riskExpiry');
    await save(id, { num: '1' });
    await save(id, { num: '2' });
    const [, oldest] = await history({ id });
    const historyId = oldest?.id;
    const answer = await restore({ id, historyId, reason: '改错了' });
    expect(answer).toMatchObject({ code: 200, data: { num: '1' } });
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'config.restore', before: { num: '2' }, after: { num: '1', historyId }, reason: '改错了' },
    ]);
    expect(await history({ id, restored: 1 })).toMatchObject([{ afterNum: '1', restoredId: historyId }]);
    expect(await restore({ id, historyId, value: 'before' })).toMatchObject({ code: 200, data: { num: '50000' } });
    const commands = await server.query(sql<{ num: string }>`
      select data ->> 'num' as num from command where type = 'config.updated' and ref_id = ${id} order by id`);
    expect(commands.map(({ num }) => num)).toEqual(['1', '2', '1', '50000']);
  });

  test('is validated like a save: refuses a value that is out of bounds now', async () => {
    const { id } = await find('queue.target.withdrawReview');
    await save(id, { num: '700' });
    await save(id, { num: '72' });
    const [, change] = await history({ id });
    await server.query(sql`update config set max = 600 where id = ${id}`);
    expect(await restore({ id, historyId: change?.id })).toMatchObject({ code: 422, data: [{ field: 'num' }] });
    await server.query(sql`update config set max = 720 where id = ${id}`);
    expect(await find('queue.target.withdrawReview')).toMatchObject({ num: '72' });
  });

  test('answers 403 for a policy except for the admin, and 404 for a change of another setting', async () => {
    const { id } = await find('policy.withdraw.pass');
    await save(id, { state: 1 });
    await save(id, { state: 2 });
    const [last] = await history({ id });
    const input = { id, historyId: last?.id };
    expect(await restore(input, office.token)).toMatchObject({ code: 403 });
    expect(await restore(input, branchOperator)).toMatchObject({ code: 403 });
    const other = await find('withdraw.limit24h');
    expect(await restore({ id: other.id, historyId: last?.id })).toMatchObject({ code: 404 });
    expect(await restore({ id, historyId: 999_999_999 })).toMatchObject({ code: 404 });
    expect(await find('policy.withdraw.pass')).toMatchObject({ state: 2 });
  });
});

describe('a setting that changed meanwhile', () => {
  test('is not overwritten: answers 409 with operator and time', async () => {
    const { id, num, updatedAt: seen } = await find('second.riskMarket');
    server.clock.move(1_000);
    const saved = await save(id, { num: '5', seen });
    expect(saved).toMatchObject({ code: 200 });
    const [change] = await history({ id });
    const moved = {
      code: 409,
      msg: expect.stringMatching(`^记录已变化：数值 ${num} → 5（admin，.+ UTC）$`) as string,
      data: { by: 'admin', at: saved.data.updatedAt, fields: [{ before: num, after: '5' }] },
    };
    expect(await save(id, { num: '6', seen })).toMatchObject(moved);
    expect(await restore({ id, historyId: change?.id, value: 'before', seen })).toMatchObject(moved);
    expect(await save(id, { num: '6', seen: saved.data.updatedAt })).toMatchObject({ code: 200 });
  });
});

test.each([
  ['withdraw.limit24h', { str: 'x' }, 'str'],
  ['withdraw.limit24h', { state: 1 }, 'state'],
  ['kline.url', { num: '1' }, 'num'],
  ['otp.required', { num: '1' }, 'num'],
])('%s refuses %j', async (key, input, field) => {
  const { id } = await find(key);
  expect(await save(id, input)).toMatchObject({ code: 422, data: [{ field }] });
});
