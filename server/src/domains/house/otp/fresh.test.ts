import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import { nouns } from '@hengtai/contract/index';
import type { Me } from '@hengtai/contract/house/session/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OtpOperator, STEP_MS, codeAt, makeOtpOperator, enableOtp } from '../../../../test/codes.ts';
import { PASSWORD, findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { ADMIN, type ApiResponse, type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
let user: string;
const MINUTE = 60_000;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  user = await makeUser(server, { amount: '100000' });
});
afterAll(() => server.stop());
beforeEach(async () => {
  admin = await loginAdmin();
});

const post = <T = unknown>(path: string, input: object, token: string, key?: string): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', path, input, { token, ...(key !== undefined && { key }) });
const makeWaitingWithdraw = () => makeWithdraw(server, admin, user, { amount: '10' });
const giveFreshCode = async ({ token, secret }: Pick<OtpOperator, 'token' | 'secret'>): Promise<void> => {
  server.clock.move(STEP_MS);
  expect(await post('otp/fresh', { code: codeAt(secret, server.clock.now()) }, token)).toMatchObject({ code: 200 });
};
const makeReviewer = (): Promise<OtpOperator> => makeOtpOperator(server, admin, { abilities: [3, 9, 13] });

describe('a sensitive action of an operator with codes', () => {
  test('is allowed for five minutes after a code in this session', async () => {
    const agent = await makeReviewer();
    const [one, two] = [await makeWaitingWithdraw(), await makeWaitingWithdraw()];
    const goOn = server.clock.freeze();
    await giveFreshCode(agent);
    server.clock.move(5 * MINUTE - 2_000);
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({ code: 200 });
    goOn();
    server.clock.move(3_000);
    const refused = await post('withdraw/pass', { id: two.id }, agent.token);
    expect(refused).toMatchObject({ status: 200, code: 428, msg: '请输入一次性验证码', data: null });
    expect(await fetchAuditRows(server, refused)).toMatchObject([
      { action: 'withdraw.pass', result: 428, targetId: two.id },
    ]);
    expect(await findWithdraw(server, admin, two.no)).toMatchObject({ state: 0 });
    await giveFreshCode(agent);
    expect(await post('withdraw/pass', { id: two.id }, agent.token)).toMatchObject({ code: 200 });
  });

  test('can repeat an idempotency key that was refused for a missing code, and runs once', async () => {
    const agent = await makeReviewer();
    const { id } = await makeWaitingWithdraw();
    server.clock.move(6 * MINUTE);
    const key = unique('key');
    expect(await post('withdraw/pass', { id }, agent.token, key)).toMatchObject({ code: 428 });
    await giveFreshCode(agent);
    const done = await post('withdraw/pass', { id }, agent.token, key);
    expect(done).toMatchObject({ code: 200, data: { state: 2 } });
    server.clock.move(6 * MINUTE);
    // The stored answer needs no fresh code.
    expect((await post('withdraw/pass', { id }, agent.token, key)).data).toEqual(done.data);
  });

  test('does not accept a code that was given in another session of the operator', async () => {
    const agent = await makeReviewer();
    server.clock.move(6 * MINUTE);
    const otp = codeAt(agent.secret, server.clock.now());
    const other = await call(server, 'POST', 'login', { account: agent.account, password: PASSWORD, otp });
    const [one, two] = [await makeWaitingWithdraw(), await makeWaitingWithdraw()];
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({ code: 428 });
    expect(await post('withdraw/pass', { id: two.id }, other.token ?? '')).toMatchObject({ code: 200 });
  });

  test('makes its checks in the order 422, 403, 404, 428, 409', async () => {
    const agent = await makeReviewer();
    const done = await makeWaitingWithdraw();
    await giveFreshCode(agent);
    await post('withdraw/pass', { id: done.id }, agent.token);
    server.clock.move(6 * MINUTE);
    const ask = async (path: string, input: object) => (await post(path, input, agent.token)).code;
    expect(await ask('withdraw/pass', { id: 'x' })).toBe(422);
    expect(await ask('asset/active/add', {})).toBe(422);
    const adjustment = { userId: 1, marketId: 1, platform: 1, amount: '1', state: 0, reason: 'x' };
    expect(await ask('asset/active/add', adjustment)).toBe(403);
    expect(await ask('withdraw/pass', { id: 999_999_999 })).toBe(404);
    expect(await ask('withdraw/pass', { id: done.id })).toBe(428);
    const policy = (await settings()).find(({ key }) => key === 'policy.withdraw.pass');
    expect(await ask('config/save', { id: policy?.id, state: 0 })).toBe(403);
    await giveFreshCode(agent);
    expect(await ask('withdraw/pass', { id: done.id })).toBe(409);
  });

  test('needs one also to learn that a value is set already, or that it is not what was read', async () => {
    const agent = await makeReviewer();
    server.clock.move(6 * MINUTE);
    const [row] = (await settings()).filter(({ key }) => key === 'support.url');
    const { id, str = '' } = row ?? {};
    const asked = [
      { id, str },
      { id, str, name: 'another' },
      { id, str: 'https://help.example', updatedAt: 0 },
    ];
    for (const input of asked) expect(await post('config/save', input, agent.token)).toMatchObject({ code: 428 });
    const outsider = await makeOperator(server, admin);
    for (const input of asked) expect(await post('config/save', input, outsider.token)).toMatchObject({ code: 403 });
    await giveFreshCode(agent);
    const codes = [];
    for (const input of asked) codes.push((await post('config/save', input, agent.token)).code);
    expect(codes).toEqual([200, 422, 409]);
  });

  test('in a bulk call asks for one code, before the first action', async () => {
    const agent = await makeReviewer();
    const rows = [await makeWaitingWithdraw(), await makeWaitingWithdraw()];
    const ids = [...rows.map(({ id }) => id), 999_999_999];
    server.clock.move(6 * MINUTE);
    const key = unique('key');
    expect(await post('withdraw/pass/many', { ids }, agent.token, key)).toMatchObject({ code: 428, data: null });
    for (const { no } of rows) expect(await findWithdraw(server, admin, no)).toMatchObject({ state: 0 });
    await giveFreshCode(agent);
    const { data } = await post<BulkResult>('withdraw/pass/many', { ids }, agent.token, key);
    expect(data.results.map(({ code }) => code)).toEqual([200, 200, 404]);
  });

  test('other actions need no code', async () => {
    const agent = await makeReviewer();
    const { id } = await makeWaitingWithdraw();
    server.clock.move(6 * MINUTE);
    expect(await post('withdraw/reject', { id, reason: 'no' }, agent.token)).toMatchObject({ code: 200 });
    expect(await call(server, 'GET', 'withdraw/list', {}, { token: agent.token })).toMatchObject({ code: 200 });
  });

  test('an operator without codes needs none', async () => {
    const agent = await makeOperator(server, admin, { abilities: [3, 13] });
    const { id } = await makeWaitingWithdraw();
    server.clock.move(60 * MINUTE);
    expect(await post('withdraw/pass', { id }, agent.token)).toMatchObject({ code: 200 });
  });

  test('includes every call that moves money or rights', () => {
    const sensitive = Object.values<Record<string, CallSpec>>(nouns).flatMap((calls) =>
      Object.values(calls).flatMap(({ fresh, path }) => (fresh ? [path] : [])),
    );
    const required = [
      'withdraw/pass',
      'withdraw/retry',
      'withdraw/refund',
      'withdraw/resolve',
      'withdraw/pass/many',
      'asset/active/add',
      'asset/active/sub',
      'asset/frozen/add',
      'asset/frozen/sub',
      'approval/pass',
      'agent/state',
      'agent/ieo_review/open',
      'agent/ieo_review/close',
      'agent/pwd_update',
      'agent/otp/reset',
      'agent/oidc/link',
      'agent/parent/change',
      'agent/del',
      'user/pwd_update',
      'user/token',
      'user/del',
      'config/save',
      'installation/live',
    ];
    // Calls may be added to the contract's list, but none of these may be removed.
    expect(required.filter((path) => !sensitive.includes(path))).toEqual([]);
  });
});

async function settings(): Promise<ConfigRow[]> {
  return (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin })).data;
}

let coded: OtpOperator | undefined;
/** A new session of the admin, opened with a code once codes are on. */
async function loginAdmin(): Promise<string> {
  if (!coded) return login(server);
  server.clock.move(STEP_MS);
  const otp = codeAt(coded.secret, server.clock.now());
  return (await call(server, 'POST', 'login', { ...ADMIN, otp })).token ?? '';
}

describe('settings for codes', () => {
  const switchSetting = async (key: string, state: 0 | 1, token: string) => {
    const rows = (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token })).data;
    const row = rows.find((one) => one.key === key);
    return post<ConfigRow>('config/save', { id: row?.id, state }, token);
  };
  let boss: string;

  beforeAll(async () => {
    admin = await login(server);
    const keeper = await makeOperator(server, admin, { abilities: [9] });
    for (const key of ['otp.required', 'otp.fresh']) {
      // Only the admin may turn it on, and only after setting up codes itself.
      expect(await switchSetting(key, 1, admin)).toMatchObject({ code: 422, data: [{ field: 'state' }] });
      expect(await switchSetting(key, 1, keeper.token)).toMatchObject({ code: 403 });
    }
    coded = await enableOtp(server, admin, ADMIN.password);
  });
  beforeEach(() => {
    boss = admin;
  });

  test('otp.fresh refuses sensitive actions, and no others, without codes', async () => {
    const agent = await makeOperator(server, boss, { abilities: [3, 13] });
    const [one, two] = [await makeWaitingWithdraw(), await makeWaitingWithdraw()];
    expect(await switchSetting('otp.fresh', 1, boss)).toMatchObject({ code: 200 });
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({
      code: 428,
      msg: '请先在「安全设置」中启用一次性验证码',
      data: { setup: true },
    });
    expect(await post('withdraw/pass/many', { ids: [one.id] }, agent.token)).toMatchObject({ code: 428 });
    expect(await post('withdraw/reject', { id: two.id, reason: 'no' }, agent.token)).toMatchObject({ code: 200 });
    await enableOtp(server, agent.token);
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({ code: 200 });
    expect(await switchSetting('otp.fresh', 0, boss)).toMatchObject({ code: 200 });
  });

  test('otp.exact refuses the codes of the steps before and after', async () => {
    const owner = await makeOtpOperator(server, boss);
    const enter = (steps: number) => {
      const otp = codeAt(owner.secret, server.clock.now() + steps * STEP_MS);
      return call(server, 'POST', 'login', { account: owner.account, password: PASSWORD, otp });
    };
    const goOn = server.clock.freeze();
    server.clock.move(3 * STEP_MS);
    expect(await enter(-1)).toMatchObject({ code: 200 });
    expect(await switchSetting('otp.exact', 1, boss)).toMatchObject({ code: 200 });
    server.clock.move(3 * STEP_MS);
    for (const steps of [-1, 1]) expect(await enter(steps)).toMatchObject({ code: 401 });
    expect(await enter(0)).toMatchObject({ code: 200 });
    goOn();
    expect(await switchSetting('otp.exact', 0, boss)).toMatchObject({ code: 200 });
  });

  test('otp.required refuses everything but the setup without codes; invalid input is refused first', async () => {
    const agent = await makeOperator(server, boss, { abilities: [3, 10, 13] });
    expect(await switchSetting('otp.required', 1, boss)).toMatchObject({ code: 200 });
    const due = { code: 428, msg: '请先在「安全设置」中启用一次性验证码', data: { setup: true } };
    const { token } = await call(server, 'POST', 'login', { account: agent.account, password: PASSWORD });
    const ask = (method: 'GET' | 'POST', path: string, input: object = {}) =>
      call(server, method, path, input, { token });
    expect(await ask('GET', 'withdraw/list')).toMatchObject(due);
    expect(await ask('GET', 'session/list')).toMatchObject(due);
    expect(await ask('GET', 'notify/stream', { last: 0 })).toMatchObject(due);
    expect(await ask('POST', 'withdraw/excel', { format: 'csv' })).toMatchObject(due);
    expect(await ask('POST', 'withdraw/reject', { id: 1, reason: 'x' })).toMatchObject(due);
    expect(await ask('GET', 'withdraw/list', { state: 'x' })).toMatchObject({ code: 422 });
    expect((await call<Me>(server, 'GET', 'me', {}, { token })).data).toMatchObject({ otp: 0, otpDue: true });
    expect(await ask('GET', 'otp/state')).toMatchObject({ code: 200, data: { required: true } });
    const change = { oldPassword: 'not-the-password', newPassword: 'another-password' };
    expect(await ask('POST', 'pwd_update', change)).toMatchObject({ code: 401 });
    await enableOtp(server, token ?? '');
    expect(await ask('GET', 'withdraw/list')).toMatchObject({ code: 200 });
    expect((await call<Me>(server, 'GET', 'me', {}, { token })).data).toMatchObject({ otp: 1, otpDue: false });
    // The admin has codes and is not affected.
    expect(await call(server, 'GET', 'withdraw/list', {}, { token: boss })).toMatchObject({ code: 200 });
    expect(await switchSetting('otp.required', 0, boss)).toMatchObject({ code: 200 });
    const unrestricted = await makeOperator(server, boss);
    expect(await call(server, 'GET', 'withdraw/list', {}, { token: unrestricted.token })).toMatchObject({ code: 200 });
  });
});
