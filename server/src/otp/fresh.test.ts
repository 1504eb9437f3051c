import type { BulkResult } from '@hengtai/contract/schema';
import type { CallSpec } from '@hengtai/contract/endpoint';
import type { ConfigRow } from '@hengtai/contract/config.schema';
import { nouns } from '@hengtai/contract/index';
import type { Me } from '@hengtai/contract/session.schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CodedOperator, STEP, codeAt, makeCoded, turnOn } from '../../test/codes.ts';
import { PASSWORD, findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../test/factories.ts';
import { auditOf } from '../../test/look.ts';
import { ADMIN, type Answered, type TestServer, call, login, testServer, unique } from '../../test/server.ts';

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
  admin = await adminWithCodes();
});

const post = <T = unknown>(path: string, input: object, token: string, key?: string): Promise<Answered<T>> =>
  call<T>(server, 'POST', path, input, { token, ...(key !== undefined && { key }) });
const waiting = () => makeWithdraw(server, admin, user, { amount: '10' });
const give = async ({ token, secret }: Pick<CodedOperator, 'token' | 'secret'>): Promise<void> => {
  server.clock.move(STEP);
  expect(await post('otp/fresh', { code: codeAt(secret, server.clock.now()) }, token)).toMatchObject({ code: 200 });
};
const reviewer = (): Promise<CodedOperator> => makeCoded(server, admin, { abilities: [3, 9, 13] });

describe('a sensitive action of an operator with codes', () => {
  test('is done within five minutes after one was given in this session, and then no more', async () => {
    const agent = await reviewer();
    const [one, two] = [await waiting(), await waiting()];
    const goOn = server.clock.stand();
    await give(agent);
    server.clock.move(5 * MINUTE - 2_000);
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({ code: 200 });
    goOn();
    server.clock.move(3_000);
    const refused = await post('withdraw/pass', { id: two.id }, agent.token);
    expect(refused).toMatchObject({ status: 200, code: 428, msg: '请输入一次性验证码', data: null });
    expect(await auditOf(server, refused)).toMatchObject([{ action: 'withdraw.pass', result: 428, targetId: two.id }]);
    expect(await findWithdraw(server, admin, two.no)).toMatchObject({ state: 0 });
    await give(agent);
    expect(await post('withdraw/pass', { id: two.id }, agent.token)).toMatchObject({ code: 200 });
  });

  test('is done once under the key that was refused for want of a code', async () => {
    const agent = await reviewer();
    const { id } = await waiting();
    server.clock.move(6 * MINUTE);
    const key = unique('key');
    expect(await post('withdraw/pass', { id }, agent.token, key)).toMatchObject({ code: 428 });
    await give(agent);
    const done = await post('withdraw/pass', { id }, agent.token, key);
    expect(done).toMatchObject({ code: 200, data: { state: 2 } });
    server.clock.move(6 * MINUTE);
    // What is told again is done already.
    expect((await post('withdraw/pass', { id }, agent.token, key)).data).toEqual(done.data);
  });

  test('a code of another session of the same operator does not count here', async () => {
    const agent = await reviewer();
    server.clock.move(6 * MINUTE);
    const otp = codeAt(agent.secret, server.clock.now());
    const other = await call(server, 'POST', 'login', { account: agent.account, password: PASSWORD, otp });
    const [one, two] = [await waiting(), await waiting()];
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({ code: 428 });
    expect(await post('withdraw/pass', { id: two.id }, other.token ?? '')).toMatchObject({ code: 200 });
  });

  test('the order of the checks: 422, 403, 404, then 428, then 409', async () => {
    const agent = await reviewer();
    const done = await waiting();
    await give(agent);
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
    await give(agent);
    expect(await ask('withdraw/pass', { id: done.id })).toBe(409);
  });

  test('of many is asked for once, before any of them', async () => {
    const agent = await reviewer();
    const rows = [await waiting(), await waiting()];
    const ids = [...rows.map(({ id }) => id), 999_999_999];
    server.clock.move(6 * MINUTE);
    const key = unique('key');
    expect(await post('withdraw/pass/many', { ids }, agent.token, key)).toMatchObject({ code: 428, data: null });
    for (const { no } of rows) expect(await findWithdraw(server, admin, no)).toMatchObject({ state: 0 });
    await give(agent);
    const { data } = await post<BulkResult>('withdraw/pass/many', { ids }, agent.token, key);
    expect(data.results.map(({ code }) => code)).toEqual([200, 200, 404]);
  });

  test('what needs none goes on without', async () => {
    const agent = await reviewer();
    const { id } = await waiting();
    server.clock.move(6 * MINUTE);
    expect(await post('withdraw/reject', { id, reason: 'no' }, agent.token)).toMatchObject({ code: 200 });
    expect(await call(server, 'GET', 'withdraw/list', {}, { token: agent.token })).toMatchObject({ code: 200 });
  });

  test('an operator without codes is asked for none', async () => {
    const agent = await makeOperator(server, admin, { abilities: [3, 13] });
    const { id } = await waiting();
    server.clock.move(60 * MINUTE);
    expect(await post('withdraw/pass', { id }, agent.token)).toMatchObject({ code: 200 });
  });

  test('the calls that are grave', () => {
    const grave = Object.values<Record<string, CallSpec>>(nouns).flatMap((calls) =>
      Object.values(calls).flatMap(({ fresh, path }) => (fresh ? [path] : [])),
    );
    const known = [
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
      'agent/parent/change',
      'agent/del',
      'user/pwd_update',
      'user/token',
      'user/del',
      'config/save',
      'installation/live',
    ];
    // Others may come; none of these may go.
    expect(known.filter((path) => !grave.includes(path))).toEqual([]);
  });
});

async function settings(): Promise<ConfigRow[]> {
  return (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin })).data;
}

let coded: CodedOperator | undefined;
/** The admin's own session; once codes are on, the one that was opened with them. */
async function adminWithCodes(): Promise<string> {
  if (!coded) return login(server);
  server.clock.move(STEP);
  const otp = codeAt(coded.secret, server.clock.now());
  return (await call(server, 'POST', 'login', { ...ADMIN, otp })).token ?? '';
}

describe('what policies demand', () => {
  const turn = async (key: string, state: 0 | 1, token: string) => {
    const rows = (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token })).data;
    const row = rows.find((one) => one.key === key);
    return post<ConfigRow>('config/save', { id: row?.id, state }, token);
  };
  let boss: string;

  beforeAll(async () => {
    admin = await login(server);
    const keeper = await makeOperator(server, admin, { abilities: [9] });
    for (const key of ['otp.required', 'otp.fresh']) {
      // Off, the admin's, and turned on only by an admin who has shown that codes work.
      expect(await turn(key, 1, admin)).toMatchObject({ code: 422, data: [{ field: 'state' }] });
      expect(await turn(key, 1, keeper.token)).toMatchObject({ code: 403 });
    }
    coded = await turnOn(server, admin, ADMIN.password);
  });
  beforeEach(() => {
    boss = admin;
  });

  test('otp.fresh: sensitive actions are refused without codes, all others are done', async () => {
    const agent = await makeOperator(server, boss, { abilities: [3, 13] });
    const [one, two] = [await waiting(), await waiting()];
    expect(await turn('otp.fresh', 1, boss)).toMatchObject({ code: 200 });
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({
      code: 428,
      msg: '请先在「安全设置」中启用一次性验证码',
      data: { setup: true },
    });
    expect(await post('withdraw/pass/many', { ids: [one.id] }, agent.token)).toMatchObject({ code: 428 });
    expect(await post('withdraw/reject', { id: two.id, reason: 'no' }, agent.token)).toMatchObject({ code: 200 });
    await turnOn(server, agent.token);
    expect(await post('withdraw/pass', { id: one.id }, agent.token)).toMatchObject({ code: 200 });
    expect(await turn('otp.fresh', 0, boss)).toMatchObject({ code: 200 });
  });

  test('otp.required: nothing but setting up is answered to who has no codes; a malformed call is that first', async () => {
    const agent = await makeOperator(server, boss, { abilities: [3, 10, 13] });
    expect(await turn('otp.required', 1, boss)).toMatchObject({ code: 200 });
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
    await turnOn(server, token ?? '');
    expect(await ask('GET', 'withdraw/list')).toMatchObject({ code: 200 });
    expect((await call<Me>(server, 'GET', 'me', {}, { token })).data).toMatchObject({ otp: 1, otpDue: false });
    // The admin, who has codes, goes on as ever.
    expect(await call(server, 'GET', 'withdraw/list', {}, { token: boss })).toMatchObject({ code: 200 });
    expect(await turn('otp.required', 0, boss)).toMatchObject({ code: 200 });
    const free = await makeOperator(server, boss);
    expect(await call(server, 'GET', 'withdraw/list', {}, { token: free.token })).toMatchObject({ code: 200 });
  });
});
