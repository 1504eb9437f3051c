import { sql } from 'kysely';
import { ADDRESS_TRIES_PER_HOUR } from '@hengtai/contract/session';
import type { LoginData } from '@hengtai/contract/session.schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, makeOperator } from '../../test/factories.ts';
import { untilBlocked } from '../../test/look.ts';
import { ADMIN, type Answered, type TestServer, call, login, testServer, unique } from '../../test/server.ts';
import { STRANGERS_AT_ONCE } from './crowd.ts';
import { networkOf } from './guard.ts';

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

const enter = (account: string, password: string, headers: Record<string, string> = {}): Promise<Answered<LoginData>> =>
  call<LoginData>(server, 'POST', 'login', { account, password }, { headers });

describe('guesses', () => {
  const guess = (account: string, headers: Record<string, string> = {}) => enter(account, 'not-the-password', headers);
  const tried = async (answers: Promise<Answered>[]): Promise<number> =>
    (await Promise.all(answers)).filter(({ code }) => code === 401).length;

  test('20 an hour for an account; then not even the right password, until an hour after the first', async () => {
    const { account } = await makeOperator(server, admin);
    for (let n = 0; n < 20; n += 1) expect(await guess(account)).toMatchObject({ code: 401 });
    expect(await guess(account)).toMatchObject({ status: 429, code: 429, msg: '尝试次数过多，请稍后再试' });
    expect(await enter(account.toUpperCase(), PASSWORD)).toMatchObject({ code: 429 });
    // Other accounts are not concerned.
    expect(await enter(ADMIN.account, ADMIN.password)).toMatchObject({ code: 200 });
    server.clock.move(HOUR);
    expect(await enter(account, PASSWORD)).toMatchObject({ code: 200 });
  });

  test('50 at once: 20 are tried', async () => {
    const { account } = await makeOperator(server, admin);
    expect(await tried(Array.from({ length: 50 }, () => guess(account)))).toBe(20);
  });

  test('an account that does not exist is counted alike', async () => {
    const account = unique('ghost');
    expect(await tried(Array.from({ length: 30 }, () => guess(account)))).toBe(20);
  });

  test('a known device still comes in, and guesses on a count of its own', async () => {
    const { account } = await makeOperator(server, admin);
    const { device } = (await enter(account, PASSWORD)).data;
    await Promise.all(Array.from({ length: 25 }, () => guess(account)));
    expect(await enter(account, PASSWORD)).toMatchObject({ code: 429 });
    expect(await enter(account, PASSWORD, { device })).toMatchObject({ code: 200, data: { device } });
    expect(await tried(Array.from({ length: 30 }, () => guess(account, { device })))).toBe(20);
    expect(await enter(account, PASSWORD, { device })).toMatchObject({ code: 429 });
  });

  test('a device of another account, and one that was made up, are strangers', async () => {
    const { account } = await makeOperator(server, admin);
    const { device } = (await enter(ADMIN.account, ADMIN.password)).data;
    await Promise.all(Array.from({ length: 20 }, () => guess(account)));
    for (const header of [device, 'A'.repeat(43), 'short', '']) {
      expect(await enter(account, PASSWORD, { device: header })).toMatchObject({ code: 429 });
    }
  });

  test('right ones are no guesses', async () => {
    const { account } = await makeOperator(server, admin);
    for (let n = 0; n < 25; n += 1) expect(await enter(account, PASSWORD)).toMatchObject({ code: 200 });
  });

  test('the old password is guessed 20 times an hour too', async () => {
    const agent = await makeOperator(server, admin);
    const change = (oldPassword: string) =>
      call(server, 'POST', 'pwd_update', { oldPassword, newPassword: 'another-password' }, { token: agent.token });
    const answers = await Promise.all(Array.from({ length: 25 }, () => change('not-the-password')));
    expect(answers.filter(({ code }) => code === 401)).toHaveLength(20);
    expect(answers.filter(({ code }) => code === 429)).toHaveLength(5);
    expect(await change(PASSWORD)).toMatchObject({ code: 429 });
  });

  test('no sixty minutes have more than 20, whenever they begin', async () => {
    const { account } = await makeOperator(server, admin);
    const tries: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      for (let k = 0; k < 3; k += 1) if ((await guess(account)).code === 401) tries.push(server.clock.now());
      server.clock.move(7 * MINUTE);
    }
    expect(tries.length).toBeGreaterThan(60);
    for (const [n, at] of tries.entries()) {
      const within = tries.slice(n).filter((later) => later - at < HOUR - MINUTE);
      expect(within.length).toBeLessThanOrEqual(20);
    }
  });

  test('being turned away does not prolong a lock, and writes nothing', async () => {
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

  test('the guess that locks an account says so in the audit log, once', async () => {
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

  test('another server on the same database counts along, and a new one has forgotten nothing', async () => {
    const { account } = await makeOperator(server, admin);
    await Promise.all(Array.from({ length: 12 }, () => guess(account)));
    // Counts are kept in the database alone: a count of the process would start from zero here.
    const kept = await server.query(sql<{ tries: number }>`
      select cardinality(times) as tries from login_guard where name like 'account %' order by last_at desc limit 1`);
    expect(kept).toEqual([{ tries: 12 }]);
    expect(await tried(Array.from({ length: 20 }, () => guess(account)))).toBe(8);
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
  const spray = async (address: string, many: number) => {
    const codes: number[] = [];
    // No more at a time than are let in at once.
    while (codes.length < many) {
      const length = Math.min(STRANGERS_AT_ONCE, many - codes.length);
      codes.push(...(await Promise.all(Array.from({ length }, (_, n) => from(address, unique(`spray${n}`))))));
    }
    return codes.filter((code) => code === 401).length;
  };

  test('only so many guesses an hour, then nobody comes in from there but known devices', async () => {
    const { account } = await makeOperator(server, admin);
    const { device } = (await enter(account, PASSWORD)).data;
    expect(await spray('10.9.8.7', ADDRESS_TRIES_PER_HOUR + 30)).toBe(ADDRESS_TRIES_PER_HOUR);
    expect(await from('10.9.8.7', account, PASSWORD)).toBe(429);
    expect(await from('10.9.8.7', account, PASSWORD, device)).toBe(200);
    expect(await from('10.9.8.8', account, PASSWORD)).toBe(200);
    server.clock.move(HOUR);
    expect(await from('10.9.8.7', account, PASSWORD)).toBe(200);
  });

  test('an account is not locked by guesses that its address was turned away with', async () => {
    const { account } = await makeOperator(server, admin);
    await spray('10.9.8.6', ADDRESS_TRIES_PER_HOUR);
    for (let n = 0; n < 25; n += 1) expect(await from('10.9.8.6', account)).toBe(429);
    expect(await from('10.9.8.5', account, PASSWORD)).toBe(200);
  });

  test('one account from many addresses: 20 in all', async () => {
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
  ])('%s is counted as %s', (ip, network) => expect(networkOf(ip)).toBe(network));
});

describe('what an answer gives away', () => {
  test('known, unknown and disabled accounts are answered alike to the byte, before and in a lock', async () => {
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
  test('one of a disabled operator is a stranger', async () => {
    const agent = await makeOperator(server, admin);
    const { device } = (await enter(agent.account, PASSWORD)).data;
    await call(server, 'POST', 'agent/state', { id: agent.id, type: 0, state: 0 }, { token: admin });
    await Promise.all(Array.from({ length: 20 }, () => enter(agent.account, 'not-the-password')));
    expect(await enter(agent.account, PASSWORD, { device })).toMatchObject({ code: 429 });
  });

  test('shared by two operators each has its own count in it', async () => {
    const [one, other] = [await makeOperator(server, admin), await makeOperator(server, admin)];
    const { device } = (await enter(one.account, PASSWORD)).data;
    expect(await enter(other.account, PASSWORD, { device })).toMatchObject({ code: 200 });
    await Promise.all(Array.from({ length: 20 }, () => enter(one.account, 'not-the-password', { device })));
    expect(await enter(one.account, PASSWORD, { device })).toMatchObject({ code: 429 });
    expect(await enter(other.account, PASSWORD, { device })).toMatchObject({ code: 200 });
  });
});

describe('a login against a change at the same moment', () => {
  /** Lets logins check the password, and changes something before any of them can open its session. */
  async function overtaken(id: number, account: string, change: string): Promise<Answered> {
    let entering: Promise<Answered> | undefined;
    await server.owner.transaction().execute(async (db) => {
      await sql`select 1 from agent where id = ${id} for update`.execute(db);
      entering = enter(account, PASSWORD);
      await untilBlocked(server);
      await sql.raw(change.replace('$id', String(id))).execute(db);
    });
    if (!entering) throw new Error('nobody entered');
    return entering;
  }

  test.each([
    ['the password', `update agent set password_hash = 'another' where id = $id`, 401],
    ['the switch', 'update agent set state = 0 where id = $id', 401],
    ['its end', 'update agent set deleted_at = 1 where id = $id', 401],
    ['codes that were turned on', 'update agent set otp_since = 1 where id = $id', 428],
    ['nothing of this', 'update agent set updated_at = updated_at where id = $id', 200],
  ])('%s', async (_what, change, code) => {
    const agent = await makeOperator(server, admin);
    expect(await overtaken(agent.id, agent.account, change)).toMatchObject({ code });
    const sessions = await server.query(
      sql`select 1 from session where operator_id = ${agent.id} and ended_at is null`,
    );
    // The one that the operator was made with, and the new one only where nothing speaks against it.
    expect(sessions).toHaveLength(code === 200 ? 2 : 1);
  });

  test('a change that knows only the former password does not overwrite a reset', async () => {
    const agent = await makeOperator(server, admin);
    let changing: Promise<Answered> | undefined;
    await server.owner.transaction().execute(async (db) => {
      await sql`select 1 from agent where id = ${agent.id} for update`.execute(db);
      const input = { oldPassword: PASSWORD, newPassword: 'a-thief-s-password' };
      changing = call(server, 'POST', 'pwd_update', input, { token: agent.token });
      await untilBlocked(server);
      await sql`update agent set password_hash = 'reset' where id = ${agent.id}`.execute(db);
    });
    expect(await changing).toMatchObject({ code: 401, msg: '旧密码错误' });
    expect(await server.query(sql`select password_hash from agent where id = ${agent.id}`)).toEqual([
      { password_hash: 'reset' },
    ]);
  });

  test('ten logins at once of one operator all come in', async () => {
    const { account } = await makeOperator(server, admin);
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(account, PASSWORD)));
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
