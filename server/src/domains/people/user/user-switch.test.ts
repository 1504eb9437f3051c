import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { type UserSwitchAction, user as calls, userSwitchActions } from '@hengtai/contract/people/user/calls';
import { verify } from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, runWhileLocked, setPolicy, fetchUserCommands } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
let checker: TestOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  checker = await makeOperator(server, admin, { abilities: [11, 13] });
});
afterAll(() => server.stop());

const post = <T = UserRow>(path: string, input: object, token = admin): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token });
const newUser = async (): Promise<UserRow> => findUser(server, admin, await makeUser(server));
const FRESH = { state: 1, trade: 1, ieoBuy: 1, ieoSell: 1, ai: 0, winType: 0, winRate: null };

/** Every switch: path, input, field and new value. */
const switches: [string, (id: number) => object, string, 0 | 1][] = [
  ...(Object.keys(userSwitchActions) as UserSwitchAction[]).map(
    (name): [string, (id: number) => object, string, 0 | 1] => [
      calls[name].path,
      (id) => ({ id }),
      userSwitchActions[name].field,
      userSwitchActions[name].to,
    ],
  ),
  [calls.ieoBuy.path, (id) => ({ id, state: 0 }), 'ieoBuy', 0],
  [calls.ieoBuy.path, (id) => ({ id, state: 1 }), 'ieoBuy', 1],
  [calls.ai.path, (userId) => ({ userId, state: 1 }), 'ai', 1],
  [calls.ai.path, (userId) => ({ userId, state: 0 }), 'ai', 0],
];
const columns: Record<string, string> = { ieoBuy: 'ieo_buy', ieoSell: 'ieo_sell' };
const setField = (id: number, field: string, value: number) =>
  server.query(sql`update users set ${sql.ref(columns[field] ?? field)} = ${value} where id = ${id}`);

describe.each(switches)('%s', (path, inputFor, field, to) => {
  test(`sets ${field} to ${to}, sends a command and writes an audit row`, async () => {
    const user = await newUser();
    await setField(user.id, field, 1 - to);
    const answer = await post(path, { ...inputFor(user.id), reason: '客户要求' });
    const after = { ...FRESH, [field]: to };
    expect(answer).toMatchObject({ code: 200, msg: '操作成功', data: { id: user.id, ...after } });
    expect(await findUser(server, admin, user.account)).toMatchObject(after);
    expect(await fetchUserCommands(server, user.id)).toEqual([
      { type: 'user.updated', data: { account: user.account, ...after } },
    ]);
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      {
        operator: 'admin',
        result: 200,
        targetType: 'user',
        targetId: user.id,
        reason: '客户要求',
        before: { account: user.account, ...after, [field]: 1 - to },
        after: { account: user.account, ...after },
      },
    ]);
  });

  test('has no effect if the field already has the value, and the audit row says so', async () => {
    const user = await newUser();
    await setField(user.id, field, to);
    const answer = await post(path, inputFor(user.id));
    expect(answer).toMatchObject({ code: 200, data: { id: user.id, [field]: to, updatedAt: user.updatedAt } });
    expect(await fetchUserCommands(server, user.id)).toEqual([]);
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { result: 200, targetId: user.id, before: null, after: { unchanged: true } },
    ]);
  });
});

describe('concurrent switches', () => {
  test('one of ten equal calls has an effect', async () => {
    const user = await newUser();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('user/state/disable', { id: user.id })));
    expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(200));
    expect(await fetchUserCommands(server, user.id)).toHaveLength(1);
  });

  test('a call that loaded the old value has no effect', async () => {
    const user = await newUser();
    const [answer] = await runWhileLocked(
      server,
      (tx) => sql`update users set trade = 0 where id = ${user.id}`.execute(tx),
      () => post('user/trade/close', { id: user.id }),
    );
    expect(answer).toMatchObject({ code: 200, data: { trade: 0 } });
    expect(await fetchUserCommands(server, user.id)).toEqual([]);
  });

  test('the last command of two different switches contains both', async () => {
    const user = await newUser();
    const answers = await runWhileLocked(
      server,
      (tx) => sql`select 1 from users where id = ${user.id} for update`.execute(tx),
      () => post('user/trade/close', { id: user.id }),
      () => post('user/ai/change', { userId: user.id, state: 1 }),
    );
    expect(answers.map(({ code }) => code)).toEqual([200, 200]);
    const commands = await fetchUserCommands(server, user.id);
    expect(commands).toHaveLength(2);
    expect(commands.at(-1)?.data).toMatchObject({ trade: 0, ai: 1 });
  });
});

test('user/state/disable/many and enable/many return a result for each user', async () => {
  const [one, two] = [await newUser(), await newUser()];
  const ids = [one.id, two.id, 999_999_999];
  await post('user/state/disable', { id: two.id });
  const disabled = await post<BulkResult>('user/state/disable/many', { ids, reason: '风控' });
  expect(disabled.data.results.map(({ id, code }) => [id, code])).toEqual([
    [one.id, 200],
    [two.id, 200],
    [999_999_999, 404],
  ]);
  const enabled = await post<BulkResult>('user/state/enable/many', { ids: [one.id, two.id] });
  expect(enabled.data.results.map(({ code }) => code)).toEqual([200, 200]);
});

describe('user/second/change', () => {
  const second = (input: object) => post('user/second/change', input);

  test('sets a custom rate and removes it', async () => {
    const user = await newUser();
    const custom = await second({ id: user.id, winType: 1, winRate: '88.50' });
    expect(custom).toMatchObject({ code: 200, data: { winType: 1, winRate: '88.5' } });
    const [command] = await fetchUserCommands(server, user.id);
    expect(command).toMatchObject({ type: 'user.updated', data: { winType: 1, winRate: '88.5' } });
    expect(await second({ id: user.id, winType: 1, winRate: '88.500' })).toMatchObject({
      code: 200,
      data: { winRate: '88.5' },
    });
    expect(await fetchUserCommands(server, user.id)).toHaveLength(1);
    expect(await second({ id: user.id, winType: 1, winRate: '90' })).toMatchObject({ data: { winRate: '90' } });
    const back = await second({ id: user.id, winType: 0, winRate: '50' });
    expect(back).toMatchObject({ code: 200, data: { winType: 0, winRate: null } });
    expect(await second({ id: user.id, winType: 0, winRate: null })).toMatchObject({ code: 200 });
    expect(await fetchUserCommands(server, user.id)).toHaveLength(3);
    expect(await fetchAuditRows(server, { requestId: back.requestId })).toMatchObject([
      { action: 'user.second', before: { winType: 1, winRate: '90' }, after: { winType: 0, winRate: null } },
    ]);
  });

  test.each([undefined, null, '0', '0.99', '100.01', '101'])('answers 422 for the rate %s', async (winRate) => {
    const user = await newUser();
    const input = { id: user.id, winType: 1, ...(winRate === undefined ? {} : { winRate }) };
    expect(await second(input)).toMatchObject({ code: 422, data: [{ field: 'winRate' }] });
  });

  test.each(['1', '100', '1.000000000000000001'])('accepts the rate %s', async (winRate) => {
    const user = await newUser();
    expect(await second({ id: user.id, winType: 1, winRate })).toMatchObject({ code: 200, data: { winRate } });
  });

  test('opens an approval if the policy requires it', async () => {
    await setPolicy(server, 'user.second', 1);
    try {
      const user = await newUser();
      const approval = await post<ApprovalRow>('user/second/change', { id: user.id, winType: 1, winRate: '70' });
      expect(approval).toMatchObject({
        code: 202,
        data: { type: 'user.second', title: '设置收益率档位', amount: null, userId: user.id },
      });
      expect(await second({ id: user.id, winType: 1, winRate: '71' })).toMatchObject({ code: 409 });
      expect(await findUser(server, admin, user.account)).toMatchObject({ winType: 0 });
      expect(await post('approval/pass', { id: approval.data.id }, checker.token)).toMatchObject({ code: 200 });
      expect(await findUser(server, admin, user.account)).toMatchObject({ winType: 1, winRate: '70' });
    } finally {
      await setPolicy(server, 'user.second', 0);
    }
  });

  test('passes an approval whose tier is already set, without effect', async () => {
    await setPolicy(server, 'user.second', 1);
    const user = await newUser();
    const approval = await post<ApprovalRow>('user/second/change', { id: user.id, winType: 1, winRate: '70' });
    await server.query(sql`update users set win_type = 1, win_rate = 70 where id = ${user.id}`);
    const answer = await post<ApprovalRow>('approval/pass', { id: approval.data.id }, checker.token);
    await setPolicy(server, 'user.second', 0);
    expect(answer).toMatchObject({ code: 200 });
    expect(await fetchUserCommands(server, user.id)).toEqual([]);
  });
});

describe('user/pwd_update', () => {
  test('sends a hash to the platform, marks later withdrawals as risky and stores no password', async () => {
    const account = await makeUser(server, { amount: '100' });
    const user = await findUser(server, admin, account);
    const answer = await post('user/pwd_update', { id: user.id, password: 'a-reset-password' });
    expect(answer).toMatchObject({ code: 200, data: { id: user.id, account } });
    const [command] = await fetchUserCommands(server, user.id);
    expect(command).toMatchObject({ type: 'user.password', data: { account } });
    const { password } = (command?.data ?? {}) as { password?: string };
    expect(password).toMatch(/^\$argon2id\$/);
    expect(await verify(password ?? '', 'a-reset-password')).toBe(true);
    expect((await makeWithdraw(server, admin, account, { amount: '10' })).risk).toContain('credential_changed');
    const [audited] = await fetchAuditRows(server, { requestId: answer.requestId });
    expect(audited).toMatchObject({ action: 'user.pwdUpdate', targetId: user.id, after: { kind: 'password' } });
    expect(JSON.stringify(audited)).not.toContain('a-reset-password');
  });

  test.each(['seven77', 'x'.repeat(129)])('answers 422 for a password of the wrong length', async (password) => {
    const user = await newUser();
    const answer = await post('user/pwd_update', { id: user.id, password });
    expect(answer).toMatchObject({ code: 422, data: [{ field: 'password' }] });
  });
});

test('user/remark records the old and the new remark in the audit log', async () => {
  const user = await newUser();
  const answer = await post('user/remark', { id: user.id, remark: '大客户' });
  expect(answer).toMatchObject({ code: 200, data: { remark: '大客户' } });
  expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
    { action: 'user.remark', before: { remark: '' }, after: { remark: '大客户' } },
  ]);
  expect(await post('user/remark', { id: user.id, remark: 'x'.repeat(201) })).toMatchObject({ code: 422 });
});
