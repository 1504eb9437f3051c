import { ABILITIES, ABILITY } from '@hengtai/contract/authority/ability';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { LoginData, Me } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { ADMIN, type ApiResponse, type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());
// Many tests move the clock forward, which can end the previous session.
beforeEach(async () => {
  admin = await login(server);
});

const enter = (
  account: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse<LoginData>> => call<LoginData>(server, 'POST', 'login', { account, password }, { headers });
const me = (token: string | undefined): Promise<ApiResponse<Me>> => call<Me>(server, 'GET', 'me', {}, { token });
const codeOf = async (token: string | undefined): Promise<number> => (await me(token)).code;
const switchTo = (id: number, type: number, state: 0 | 1, token = admin): Promise<ApiResponse<AgentRow>> =>
  call<AgentRow>(server, 'POST', 'agent/state', { id, type, state }, { token });

describe('login', () => {
  test('returns account, abilities and expiry', async () => {
    const before = server.clock.now();
    const answer = await enter(ADMIN.account, ADMIN.password);
    expect(answer).toMatchObject({
      status: 200,
      code: 200,
      msg: '登录成功',
      data: { admin: 'admin', planSet: true, abilities: ABILITIES },
    });
    expect(answer.token).toMatch(/^[\w-]{43}$/);
    expect(answer.data.device).toMatch(/^[\w-]{43}$/);
    expect(answer.data.expire).toBeGreaterThanOrEqual(before + 115 * MINUTE);
    expect(answer.data.expire).toBeLessThanOrEqual(server.clock.now() + 115 * MINUTE);
    expect((await me(answer.token)).data).toMatchObject({
      admin: 'admin',
      top: true,
      planSet: true,
      zone: 'Asia/Shanghai',
    });
  });

  test('returns the granted abilities and ignores the case of the account', async () => {
    const agent = await makeOperator(server, admin, { abilities: [ABILITY.withdraw, ABILITY.platform] });
    const answer = await enter(agent.account.toUpperCase(), PASSWORD);
    expect(answer).toMatchObject({ code: 200, data: { admin: agent.account, planSet: true, abilities: [0, 3, 9] } });
    expect((await me(answer.token)).data).toMatchObject({ id: agent.id, top: false });
  });

  test('has one answer for an unknown account, a wrong password, a disabled account and one without a password', async () => {
    const disabled = await makeOperator(server, admin);
    await switchTo(disabled.id, ABILITY.enabled, 0);
    const passwordless = await makeOperator(server, admin);
    await server.query(sql`update agent set password_hash = null where id = ${passwordless.id}`);
    const answers = [
      await enter('nobody-here', PASSWORD),
      await enter(ADMIN.account, 'wrong-password'),
      await enter(disabled.account, PASSWORD),
      await enter(passwordless.account, PASSWORD),
      await enter("admin' or '1'='1", PASSWORD),
    ];
    for (const { status, code, msg, data, token } of answers) {
      expect({ status, code, msg, data, token }).toEqual({
        status: 200,
        code: 401,
        msg: '账号、密码或验证码错误',
        data: null,
        token: undefined,
      });
    }
    for (const answer of answers) {
      expect(await fetchAuditRows(server, answer)).toMatchObject([{ action: 'session.login', result: 401 }]);
    }
    await switchTo(disabled.id, ABILITY.enabled, 1);
    expect(await enter(disabled.account, PASSWORD)).toMatchObject({ code: 200 });
  });

  test.each([
    [{ account: '', password: 'x' }, 'account', '请输入账号'],
    [{ account: 'admin', password: '' }, 'password', '请输入登录密码'],
    [{ account: 'admin' }, 'password', '请输入登录密码'],
  ])('%j: 422', async (input, field, msg) => {
    expect(await call(server, 'POST', 'login', input)).toMatchObject({ code: 422, msg, data: [{ field, msg }] });
  });
});

describe('the lifetime of a session', () => {
  test('ends 115 minutes after the last use', async () => {
    const goOn = server.clock.freeze();
    const token = await login(server);
    server.clock.move(115 * MINUTE - 1_000);
    expect(await codeOf(token)).toBe(200);
    const other = await login(server);
    goOn();
    server.clock.move(115 * MINUTE);
    expect(await me(other)).toMatchObject({ status: 200, code: 400, msg: '登录已失效，请重新登录' });
  });

  test('is extended by each use, up to 24 hours after the login', async () => {
    let token: string = await login(server);
    const started = server.clock.now();
    const ends: number[] = [];
    for (let uses = 0; uses < 20; uses += 1) {
      server.clock.move(100 * MINUTE);
      const answer = await me(token);
      if (answer.code !== 200) break;
      ends.push(server.clock.now() - started);
      token = answer.token ?? token;
    }
    expect(ends).toHaveLength(14);
    expect(Math.max(...ends)).toBeLessThan(24 * HOUR);
    expect(server.clock.now() - started).toBeGreaterThanOrEqual(24 * HOUR);
  });

  test('answers 400 to missing, malformed and unknown tokens', async () => {
    for (const token of [undefined, '', 'x', 'A'.repeat(43), `${'A'.repeat(42)}'`])
      expect(await codeOf(token)).toBe(400);
  });
});

describe('token renewal', () => {
  test('starts after 10 minutes', async () => {
    const goOn = server.clock.freeze();
    const token = await login(server);
    expect((await me(token)).token).toBeUndefined();
    server.clock.move(10 * MINUTE - 2_000);
    expect((await me(token)).token).toBeUndefined();
    goOn();
    server.clock.move(3_000);
    expect((await me(token)).token).toMatch(/^[\w-]{43}$/);
  });

  test('gives parallel and repeated calls the same token', async () => {
    const token = await login(server);
    server.clock.move(11 * MINUTE);
    const answers = await Promise.all(Array.from({ length: 12 }, () => me(token)));
    const tokens = new Set(answers.map((answer) => answer.token));
    expect(tokens.size).toBe(1);
    expect([...tokens][0]).not.toBe(token);
    expect(answers.every(({ code }) => code === 200)).toBe(true);
    server.clock.move(5 * MINUTE);
    expect((await me(token)).token).toBe([...tokens][0]);
  });

  test('accepts the old token until 60 seconds after the first use of the new one', async () => {
    const token = await login(server);
    server.clock.move(11 * MINUTE);
    const { token: next } = await me(token);
    // The old token stays valid while the new one is unused.
    server.clock.move(30 * MINUTE);
    const goOn = server.clock.freeze();
    expect(await codeOf(token)).toBe(200);
    expect(await codeOf(next)).toBe(200);
    server.clock.move(59_000);
    expect(await codeOf(token)).toBe(200);
    goOn();
    server.clock.move(1_000);
    // Later use of the old token means that one of the two was copied, so the session ends.
    expect(await codeOf(token)).toBe(400);
    expect(await codeOf(next)).toBe(400);
  });

  test('ends the session once and notifies the operator when the old token is used later', async () => {
    const { id, token } = await makeOperator(server, admin);
    server.clock.move(11 * MINUTE);
    const { token: next } = await me(token);
    expect(await codeOf(next)).toBe(200);
    server.clock.move(MINUTE);
    const answers = await Promise.all(Array.from({ length: 8 }, () => codeOf(token)));
    expect(answers).toEqual(answers.map(() => 400));
    expect(await codeOf(next)).toBe(400);
    const ends = await server.query(sql`select end_reason from session where operator_id = ${id}`);
    expect(ends).toEqual([{ end_reason: 'reused' }]);
    const notifications = await server.query(sql`select noun, agent_id from notice where operator_id = ${id}`);
    expect(notifications).toEqual([{ noun: 'session', agent_id: id }]);
    const audited = await server.query(
      sql`select result from audit where action = 'session.reused' and operator_id = ${id}`,
    );
    expect(audited).toEqual([{ result: 400 }]);
  });

  test('works with a refused call as well', async () => {
    const { token } = await makeOperator(server, admin);
    server.clock.move(11 * MINUTE);
    const refused = await call(server, 'GET', 'audit/list', {}, { token });
    expect(refused).toMatchObject({ code: 403 });
    expect(await codeOf(refused.token)).toBe(200);
  });
});

describe('sessions end', () => {
  test('on logout, the current one only', async () => {
    const [one, other] = [await login(server), await login(server)];
    expect(await call(server, 'POST', 'logout', {}, { token: one })).toMatchObject({
      code: 200,
      msg: '操作成功',
      data: null,
    });
    expect([await codeOf(one), await codeOf(other)]).toEqual([400, 200]);
    expect(await call(server, 'POST', 'logout', {}, { token: one })).toMatchObject({ code: 400 });
  });

  test('on logout, with every token of the session', async () => {
    const token = await login(server);
    server.clock.move(11 * MINUTE);
    const { token: next } = await me(token);
    await call(server, 'POST', 'logout', {}, { token });
    expect([await codeOf(token), await codeOf(next)]).toEqual([400, 400]);
  });

  test('on a password change, all of the operator including the current one', async () => {
    const agent = await makeOperator(server, admin);
    const tokens = [agent.token, await login(server, agent.account, PASSWORD)];
    const change = (oldPassword: string, newPassword: string) =>
      call(server, 'POST', 'pwd_update', { oldPassword, newPassword }, { token: agent.token });
    expect(await change('not-the-password', 'new-password')).toMatchObject({ code: 401, msg: '旧密码错误' });
    expect(await change(PASSWORD, 'short')).toMatchObject({ code: 422, data: [{ field: 'newPassword' }] });
    expect(await Promise.all(tokens.map(codeOf))).toEqual([200, 200]);
    const changed = await change(PASSWORD, 'new-password');
    expect(changed).toMatchObject({ code: 200, msg: '密码修改成功，请重新登录', data: null });
    expect(await Promise.all(tokens.map(codeOf))).toEqual([400, 400]);
    expect(await codeOf(admin)).toBe(200);
    expect(await enter(agent.account, PASSWORD)).toMatchObject({ code: 401 });
    expect(await enter(agent.account, 'new-password')).toMatchObject({ code: 200 });
    expect(await fetchAuditRows(server, changed)).toMatchObject([
      { action: 'session.password', result: 200, targetId: agent.id },
    ]);
  });

  test('when an agent is disabled, at once', async () => {
    const agent = await makeOperator(server, admin);
    const tokens = [agent.token, await login(server, agent.account, PASSWORD)];
    await switchTo(agent.id, ABILITY.enabled, 0);
    expect(await Promise.all(tokens.map(codeOf))).toEqual([400, 400]);
    await switchTo(agent.id, ABILITY.enabled, 1);
    expect(await Promise.all(tokens.map(codeOf))).toEqual([400, 400]);
  });

  test('when an ability is revoked, of all agents below who had it', async () => {
    const top = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    const holder = await makeOperator(server, admin, {
      parent: top.account,
      abilities: [ABILITY.withdraw, ABILITY.users],
    });
    const unaffected = await makeOperator(server, admin, { parent: top.account, abilities: [ABILITY.users] });
    const outside = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    await switchTo(top.id, ABILITY.withdraw, 0);
    const all: TestOperator[] = [top, holder, unaffected, outside];
    expect(await Promise.all(all.map(({ token }) => codeOf(token)))).toEqual([400, 400, 200, 200]);
  });

  test('when an ability is granted', async () => {
    const agent = await makeOperator(server, admin);
    await switchTo(agent.id, ABILITY.users, 1);
    expect(await codeOf(agent.token)).toBe(400);
  });
});

describe('headers', () => {
  interface Ask {
    method: 'GET' | 'POST';
    url: string;
    status: number;
    payload?: string;
    token?: boolean;
  }
  const asks: Ask[] = [
    { method: 'GET', url: '/api/v1/admin/me', status: 200, token: true },
    { method: 'GET', url: '/api/v1/admin/me', status: 200 },
    { method: 'POST', url: '/api/v1/admin/login', status: 200, payload: '{"account":"a","password":"b"}' },
    { method: 'POST', url: '/api/v1/admin/login', status: 200, payload: '{broken' },
    { method: 'GET', url: '/api/v1/admin/withdraw/detail?id=1', status: 200, token: true },
    { method: 'POST', url: '/api/v1/admin/login', status: 413, payload: `"${'x'.repeat(1_100_000)}"` },
    { method: 'GET', url: '/api/v1/admin/nothing', status: 404 },
    { method: 'GET', url: '/nothing', status: 404 },
    { method: 'POST', url: '/platform/v1/events', status: 401, payload: '[]' },
  ];

  test.each(asks)('$method $url → $status', async ({ method, url, status, payload, token }) => {
    const response = await server.server.inject({
      method,
      url,
      headers: { ...(payload ? { 'content-type': 'application/json' } : {}), ...(token ? { token: admin } : {}) },
      ...(payload ? { payload } : {}),
    });
    expect(response.statusCode).toBe(status);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const policy = String(response.headers['content-security-policy']).split(';');
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(response.headers['x-powered-by']).toBeUndefined();
    if (!url.includes('nothing')) expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({ code: expect.any(Number), msg: expect.any(String) });
  });

  test('have a request id of the server, never the one of the client', async () => {
    const [one, other] = await Promise.all(
      [0, 1].map(() => call(server, 'GET', 'me', {}, { token: admin, headers: { 'x-request-id': 'mine' } })),
    );
    expect(one?.requestId).not.toBe(other?.requestId);
    expect(one?.requestId).not.toBe('mine');
  });
});

test('the database contains no password and no token in clear text', async () => {
  const agent = await makeOperator(server, admin);
  const secret = 'a-password-nobody-else-has';
  await call(server, 'POST', 'pwd_update', { oldPassword: PASSWORD, newPassword: secret }, { token: agent.token });
  const entered = await enter(agent.account, secret);
  server.clock.move(11 * MINUTE);
  const { token: next } = await me(entered.token);
  await call(
    server,
    'POST',
    'user/add',
    { account: unique('user'), password: 'a-users-own-password' },
    { token: admin },
  );
  await enter(agent.account, 'a-wrong-password-typed');
  const dump = await dumpDatabase();
  // Proves that the dump is not empty.
  expect(dump).toContain(agent.account);
  const secrets = [secret, PASSWORD, ADMIN.password, 'a-users-own-password', 'a-wrong-password-typed'];
  for (const hidden of [...secrets, entered.token, next, entered.data.device, admin]) {
    expect(hidden).toBeTruthy();
    expect(dump.includes(hidden ?? '')).toBe(false);
  }
  // No string in the form of a token opens a session.
  const candidates = new Set(dump.match(/(?<![\w-])[\w-]{43}(?![\w-])/g));
  for (const candidate of candidates) expect(await codeOf(candidate)).toBe(400);
});

/** Every row of every table as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await server.query(sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const [row] = await server.query(
      sql<{ text: string | null }>`select string_agg(t::text, chr(10)) as text from ${sql.raw(name)} t`,
    );
    texts.push(row?.text ?? '');
  }
  return texts.join('\n');
}

describe('sessions of one operator', () => {
  test('are limited by the settings; a further login ends the least recently used', async () => {
    const { account, token: first } = await makeOperator(server, admin);
    await server.query(sql`update config set num = 3 where key = 'session.max'`);
    const second = await login(server, account, PASSWORD);
    const third = await login(server, account, PASSWORD);
    server.clock.move(MINUTE);
    for (const used of [first, third]) expect(await codeOf(used)).toBe(200);
    const fourth = await login(server, account, PASSWORD);
    expect(await Promise.all([first, second, third, fourth].map((token) => codeOf(token)))).toEqual([
      200, 400, 200, 200,
    ]);
    const ended = await server.query(sql`select s.end_reason from session s join agent a on a.id = s.operator_id
      where a.account = ${account} and s.ended_at is not null`);
    expect(ended).toEqual([{ end_reason: 'limit' }]);
    // Parallel logins cannot exceed the limit together.
    await Promise.all(Array.from({ length: 8 }, () => login(server, account, PASSWORD)));
    const [open] = await server.query(sql`select count(*) as n from session s join agent a on a.id = s.operator_id
      where a.account = ${account} and s.ended_at is null`);
    expect(open).toEqual({ n: 3 });
    await server.query(sql`update config set num = 50 where key = 'session.max'`);
  });
});
