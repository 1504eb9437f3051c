import { sql } from 'kysely';
import { ADDRESS_TRIES_PER_HOUR } from '@hengtai/contract/house/session/calls';
import type { LoginData } from '@hengtai/contract/house/session/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, makeOperator } from '../../../../test/factories.ts';
import { waitUntilBlocked } from '../../../../test/inspect.ts';
import { ADMIN, type ApiResponse, type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';
import { networkOf } from './guess-limit.steps.ts';
import { UNKNOWN_DEVICE_SLOTS } from './login-slots.ts';

let server: TestServer;
let admin: string;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.move(HOUR);
  admin = await login(server);
});

const enter = (
  account: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse<LoginData>> => call<LoginData>(server, 'POST', 'login', { account, password }, { headers });

describe('guesses', () => {
  const guess = (account: string, headers: Record<string, string> = {}) => enter(account, 'not-the-password', headers);
  const countTried = async (answers: Promise<ApiResponse>[]): Promise<number> =>
    (await Promise.all(answers)).filter(({ code }) => code === 401).length;

  test('refuses even the right password after 20 guesses, until an hour after the first', async () => {
    const { account } = await makeOperator(server, admin);
    for (let n = 0; n < 20; n += 1) expect(await guess(account)).toMatchObject({ code: 401 });
    expect(await guess(account)).toMatchObject({ status: 429, code: 429, msg: '尝试次数过多，请稍后再试' });
    expect(await enter(account.toUpperCase(), PASSWORD)).toMatchObject({ code: 429 });
    // Other accounts are not affected.
    expect(await enter(ADMIN.account, ADMIN.password)).toMatchObject({ code: 200 });
    server.clock.move(HOUR);
    expect(await enter(account, PASSWORD)).toMatchObject({ code: 200 });
  });

  test('checks 20 of 50 parallel guesses', async () => {
    const { account } = await makeOperator(server, admin);
    expect(await countTried(Array.from({ length: 50 }, () => guess(account)))).toBe(20);
  });

  test('counts guesses for an unknown account in the same way', async () => {
    const account = unique('ghost');
    expect(await countTried(Array.from({ length: 30 }, () => guess(account)))).toBe(20);
  });

  test('lets a known device in and gives it its own counter', async () => {
    const { account } = await makeOperator(server, admin);
    const { device } = (await enter(account, PASSWORD)).data;
    await Promise.all(Array.from({ length: 25 }, () => guess(account)));
    expect(await enter(account, PASSWORD)).toMatchObject({ code: 429 });
    expect(await enter(account, PASSWORD, { device })).toMatchObject({ code: 200, data: { device } });
    expect(await countTried(Array.from({ length: 30 }, () => guess(account, { device })))).toBe(20);
    expect(await enter(account, PASSWORD, { device })).toMatchObject({ code: 429 });
  });

  test('treats a device of another account and an invented one as unknown', async () => {
    const { account } = await makeOperator(server, admin);
    const { device } = (await enter(ADMIN.account, ADMIN.password)).data;
    await Promise.all(Array.from({ length: 20 }, () => guess(account)));
    for (const header of [device, 'A'.repeat(43), 'short', '']) {
      expect(await enter(account, PASSWORD, { device: header })).toMatchObject({ code: 429 });
    }
  });

  test('does not count right passwords', async () => {
    const { account } = await makeOperator(server, admin);
    for (let n = 0; n < 25; n += 1) expect(await enter(account, PASSWORD)).toMatchObject({ code: 200 });
  });

  test('limits guesses of the old password to 20 an hour', async () => {
    const agent = await makeOperator(server, admin);
    const change = (oldPassword: string) =>
      call(server, 'POST', 'pwd_update', { oldPassword, newPassword: 'another-password' }, { token: agent.token });
    const answers = await Promise.all(Array.from({ length: 25 }, () => change('not-the-password')));
    expect(answers.filter(({ code }) => code === 401)).toHaveLength(20);
    expect(answers.filter(({ code }) => code === 429)).toHaveLength(5);
    expect(await change(PASSWORD)).toMatchObject({ code: 429 });
  });

  test('allows at most 20 in any 60 minutes', async () => {
    const { account } = await makeOperator(server, admin);
    const tries: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      for (let k = 0; k < 3; k += 1) if ((await guess(account)).code === 401) tries.push(server.clock.now());
      server.clock.move(7 * MINUTE);
    }
    expect(tries.length).toBeGreaterThan(60);
    for (const [n, at] of tries.entries()) {
      const recent = tries.slice(n).filter((later) => later - at < HOUR - MINUTE);
      expect(recent.length).toBeLessThanOrEqual(20);
    }
  });

  test('refused attempts neither prolong a lock nor write audit rows', async () => {
    const { account } = await makeOperator(server, admin);
    await Promise.all(Array.from({ length: 20 }, () => guess(account)));
    const rows = async () => (await server.query(sql`select 1 from audit`)).length;
    const before = await rows();
    for (let n = 0; n < 5; n += 1) {
      server.clock.move(10 * MINUTE);
      expect(await guess(account)).toMatchObject({ code: 429 });
    }
    expect(await rows()).toBe(before);
    server.clock.move(10 * MINUTE);
    expect(await enter(account, PASSWORD)).toMatchObject({ code: 200 });
  });

  test('audits the guess that locks an account once as 429', async () => {
    const { account, id } = await makeOperator(server, admin);
    await Promise.all(Array.from({ length: 50 }, () => guess(account)));
    const rows = await server.query(sql<{ result: number; n: number }>`
      select result, count(*) as n from audit where action = 'session.login' and target_id = ${id} and result <> 200
      group by 1 order by 1`);
    expect(rows).toEqual([
      { result: 401, n: 20 },
      { result: 429, n: 1 },
    ]);
  });

  test('keeps the count in the database, across processes', async () => {
    const { account } = await makeOperator(server, admin);
    await Promise.all(Array.from({ length: 12 }, () => guess(account)));
    // Counts are kept in the database alone: a count of the process would start from zero here.
    const stored = await server.query(sql<{ tries: number }>`
      select cardinality(times) as tries from login_guard where name like 'account %' order by last_at desc limit 1`);
    expect(stored).toEqual([{ tries: 12 }]);
    expect(await countTried(Array.from({ length: 20 }, () => guess(account)))).toBe(8);
  });
});

describe('many accounts from one address', () => {
  const from = async (remoteAddress: string, account: string, password = 'not-the-password', device = '') => {
    const response = await server.server.inject({
      method: 'POST',
      url: '/api/v1/admin/login',
      remoteAddress,
      headers: { 'content-type': 'application/json', ...(device && { device }) },
      payload: JSON.stringify({ account, password }),
    });
    return response.json<{ code: number }>().code;
  };
  const spray = async (address: string, attempts: number) => {
    const codes: number[] = [];
    // In groups that fit into the login slots.
    while (codes.length < attempts) {
      const length = Math.min(UNKNOWN_DEVICE_SLOTS, attempts - codes.length);
      codes.push(...(await Promise.all(Array.from({ length }, (_, n) => from(address, unique(`spray${n}`))))));
    }
    return codes.filter((code) => code === 401).length;
  };

  test('locks the address for unknown devices after its limit of guesses', async () => {
    const { account } = await makeOperator(server, admin);
    const { device } = (await enter(account, PASSWORD)).data;
    expect(await spray('10.9.8.7', ADDRESS_TRIES_PER_HOUR + 30)).toBe(ADDRESS_TRIES_PER_HOUR);
    expect(await from('10.9.8.7', account, PASSWORD)).toBe(429);
    expect(await from('10.9.8.7', account, PASSWORD, device)).toBe(200);
    expect(await from('10.9.8.8', account, PASSWORD)).toBe(200);
    server.clock.move(HOUR);
    expect(await from('10.9.8.7', account, PASSWORD)).toBe(200);
  });

  test('does not count guesses of a locked address against the account', async () => {
    const { account } = await makeOperator(server, admin);
    await spray('10.9.8.6', ADDRESS_TRIES_PER_HOUR);
    for (let n = 0; n < 25; n += 1) expect(await from('10.9.8.6', account)).toBe(429);
    expect(await from('10.9.8.5', account, PASSWORD)).toBe(200);
  });

  test('limits one account to 20 guesses across all addresses', async () => {
    const { account } = await makeOperator(server, admin);
    const codes = await Promise.all(Array.from({ length: 60 }, (_, n) => from(`10.1.1.${n}`, account)));
    expect(codes.filter((code) => code === 401)).toHaveLength(20);
  });

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('counts %s as %s', (ip, network) => expect(networkOf(ip)).toBe(network));
});

describe('information in answers', () => {
  test('answers known, unknown and disabled accounts identically, before and during a lock', async () => {
    const agent = await makeOperator(server, admin);
    const disabled = await makeOperator(server, admin);
    await call(server, 'POST', 'agent/state', { id: disabled.id, type: 0, state: 0 }, { token: admin });
    const answers = async (account: string): Promise<object[]> => {
      const all: object[] = [];
      for (let n = 0; n < 22; n += 1) {
        const response = await server.server.inject({
          method: 'POST',
          url: '/api/v1/admin/login',
          remoteAddress: `10.2.2.${n}`,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({ account, password: 'not-the-password' }),
        });
        const { date: _date, 'x-request-id': _id, ...headers } = response.headers;
        all.push({ status: response.statusCode, body: response.body, headers });
      }
      return all;
    };
    const known = await answers(agent.account);
    expect(new Set(known.map((one) => JSON.stringify(one))).size).toBe(2);
    expect(await answers(unique('ghost'))).toEqual(known);
    expect(await answers(disabled.account)).toEqual(known);
  });
});

describe('devices', () => {
  test('a device of a disabled operator counts as unknown', async () => {
    const agent = await makeOperator(server, admin);
    const { device } = (await enter(agent.account, PASSWORD)).data;
    await call(server, 'POST', 'agent/state', { id: agent.id, type: 0, state: 0 }, { token: admin });
    await Promise.all(Array.from({ length: 20 }, () => enter(agent.account, 'not-the-password')));
    expect(await enter(agent.account, PASSWORD, { device })).toMatchObject({ code: 429 });
  });

  test('a device shared by two operators has one counter for each', async () => {
    const [one, other] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    const { device } = (await enter(one.account, PASSWORD)).data;
    expect(await enter(other.account, PASSWORD, { device })).toMatchObject({ code: 200 });
    await Promise.all(Array.from({ length: 20 }, () => enter(one.account, 'not-the-password', { device })));
    expect(await enter(one.account, PASSWORD, { device })).toMatchObject({ code: 429 });
    expect(await enter(other.account, PASSWORD, { device })).toMatchObject({ code: 200 });
  });
});

describe('a login during a concurrent change', () => {
  /** Applies a change after a login has checked the password and before it can open its session. */
  async function loginDuringChange(id: number, account: string, change: string): Promise<ApiResponse> {
    let entering: Promise<ApiResponse> | undefined;
    await server.owner.transaction().execute(async (db) => {
      await sql`select 1 from agent where id = ${id} for update`.execute(db);
      entering = enter(account, PASSWORD);
      await waitUntilBlocked(server);
      await sql.raw(change.replace('$id', String(id))).execute(db);
    });
    if (!entering) throw new Error('The login was not started.');
    return entering;
  }

  test.each([
    ['of the password', `update agent set password_hash = 'another' where id = $id`, 401],
    ['of the state', 'update agent set state = 0 where id = $id', 401],
    ['that deletes the operator', 'update agent set deleted_at = 1 where id = $id', 401],
    ['that turns codes on', 'update agent set otp_since = 1 where id = $id', 428],
    ['that does not matter', 'update agent set updated_at = updated_at where id = $id', 200],
  ])('%s', async (_what, change, code) => {
    const agent = await makeOperator(server, admin);
    expect(await loginDuringChange(agent.id, agent.account, change)).toMatchObject({ code });
    const sessions = await server.query(
      sql`select 1 from session where operator_id = ${agent.id} and ended_at is null`,
    );
    // One session from `makeOperator`, and the new one only if the change does not matter.
    expect(sessions).toHaveLength(code === 200 ? 2 : 1);
  });

  test('a password change with the former password does not overwrite a concurrent reset', async () => {
    const agent = await makeOperator(server, admin);
    let changing: Promise<ApiResponse> | undefined;
    await server.owner.transaction().execute(async (db) => {
      await sql`select 1 from agent where id = ${agent.id} for update`.execute(db);
      const input = { oldPassword: PASSWORD, newPassword: 'a-thief-s-password' };
      changing = call(server, 'POST', 'pwd_update', input, { token: agent.token });
      await waitUntilBlocked(server);
      await sql`update agent set password_hash = 'reset' where id = ${agent.id}`.execute(db);
    });
    expect(await changing).toMatchObject({ code: 401, msg: '旧密码错误' });
    expect(await server.query(sql`select password_hash from agent where id = ${agent.id}`)).toEqual([
      { password_hash: 'reset' },
    ]);
  });

  test('ten parallel logins of one operator all succeed', async () => {
    const { account } = await makeOperator(server, admin);
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(account, PASSWORD)));
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
