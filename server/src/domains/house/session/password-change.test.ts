import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { Me } from '@hengtai/contract/house/session/schema';
import { PASSWORD_CHANGE, PASSWORD_CHANGE_DUE } from '@hengtai/contract/house/session/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, clearRateLimits } from '../../../../test/factories.ts';
import { type ApiResponse, type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());
beforeEach(() => clearRateLimits(server));

const due = { code: 428, msg: '密码由他人设置，请先修改密码', data: PASSWORD_CHANGE_DUE };
const users = (token: string): Promise<ApiResponse> => call(server, 'GET', 'user/list', {}, { token });
const passwordDue = async (token: string): Promise<boolean> =>
  (await call<Me>(server, 'GET', 'me', {}, { token })).data.passwordDue;

/** Adds an operator, whose password is therefore set by the admin. */
async function addOperator(): Promise<{ id: number; account: string; token: string }> {
  const account = unique('given');
  const input = { account, password: PASSWORD };
  const { data } = await call<{ id: number }>(server, 'POST', 'agent/add', input, { token: admin });
  await call(server, 'POST', 'agent/state', { id: data.id, type: ABILITY.users, state: 1 }, { token: admin });
  return { id: data.id, account, token: await login(server, account, PASSWORD) };
}

async function setPasswordChange(state: 0 | 1): Promise<void> {
  const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin });
  const id = data.find(({ key }) => key === PASSWORD_CHANGE)?.id;
  expect(await call(server, 'POST', 'config/save', { id, state }, { token: admin })).toMatchObject({ code: 200 });
}

test('is not required while the setting is off', async () => {
  const { token } = await addOperator();
  expect(await users(token)).toMatchObject({ code: 200 });
  expect(await passwordDue(token)).toBe(false);
});

test('is required before everything else until the operator changes the password', async () => {
  const { account, token } = await addOperator();
  await setPasswordChange(1);
  expect(await users(token)).toMatchObject(due);
  expect(await call(server, 'POST', 'user/remark', { id: 1, remark: 'x' }, { token })).toMatchObject(due);
  expect(await passwordDue(token)).toBe(true);
  const change = { oldPassword: PASSWORD, newPassword: 'chosen-by-myself-1' };
  expect(await call(server, 'POST', 'pwd_update', change, { token })).toMatchObject({ code: 200 });
  const again = await login(server, account, change.newPassword);
  expect(await users(again)).toMatchObject({ code: 200 });
  expect(await passwordDue(again)).toBe(false);
  // The admin set its own password.
  expect(await users(admin)).toMatchObject({ code: 200 });
  await setPasswordChange(0);
});

test('is required again after a reset', async () => {
  const { id, account, token } = await addOperator();
  const own = { oldPassword: PASSWORD, newPassword: 'chosen-by-myself-1' };
  await call(server, 'POST', 'pwd_update', own, { token });
  await setPasswordChange(1);
  const reset = { id, password: 'given-by-admin-1' };
  expect(await call(server, 'POST', 'agent/pwd_update', reset, { token: admin })).toMatchObject({ code: 200 });
  expect(await users(await login(server, account, reset.password))).toMatchObject(due);
  await setPasswordChange(0);
});

test('is always required while four-eyes are locked', async () => {
  const { token } = await addOperator();
  await server.query(sql`update installation set four_eyes_locked_at = 1`);
  expect(await users(token)).toMatchObject(due);
  await server.query(sql`update installation set four_eyes_locked_at = null`);
  expect(await users(token)).toMatchObject({ code: 200 });
});
