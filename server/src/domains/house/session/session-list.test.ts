import type { Page } from '@hengtai/contract/wire/list';
import type { KickOthersResult, Me, SessionRow } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { sweep } from '../../../jobs/sweep.ts';

let server: TestServer;
let admin: string;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  admin = await login(server);
});

const list = async (token: string, input: object = {}): Promise<SessionRow[]> =>
  (await call<Page<SessionRow>>(server, 'GET', 'session/list', { size: 200, ...input }, { token })).data.list;
const kick = (id: number, token: string, reason?: string): Promise<ApiResponse<SessionRow>> =>
  call<SessionRow>(server, 'POST', 'session/kick', { id, ...(reason && { reason }) }, { token });
const alive = async (token: string): Promise<boolean> => (await call(server, 'GET', 'me', {}, { token })).code === 200;
const newest = async (token: string, account: string): Promise<SessionRow> => {
  const [row] = await list(token, { account });
  if (!row) throw new Error('no session');
  return row;
};
const tree = async (): Promise<{ parent: TestOperator; child: TestOperator; other: TestOperator }> => {
  const parent = await makeOperator(server, admin);
  const child = await makeOperator(server, admin, { parent: parent.account });
  return { parent, child, other: await makeOperator(server, admin) };
};

describe('session/list', () => {
  test('lists own sessions and those of agents below; operators with full scope see all', async () => {
    const { parent, child, other } = await tree();
    const office = await makeOperator(server, admin, { abilities: [13] });
    const accounts = async (token: string) => new Set((await list(token)).map(({ account }) => account));
    expect(await accounts(parent.token)).toEqual(new Set([parent.account, child.account]));
    expect(await accounts(child.token)).toEqual(new Set([child.account]));
    for (const token of [office.token, admin]) {
      const visible = await accounts(token);
      for (const account of ['admin', parent.account, child.account, other.account]) expect(visible).toContain(account);
    }
  });

  test('shows origin, times and which session is the current one', async () => {
    const agent = await makeOperator(server, admin);
    const before = server.clock.now();
    const response = await server.server.inject({
      method: 'POST',
      url: '/api/v1/admin/login',
      remoteAddress: '10.3.3.3',
      headers: { 'content-type': 'application/json', 'user-agent': 'Netscape/4' },
      payload: JSON.stringify({ account: agent.account, password: PASSWORD }),
    });
    const { token, data } = response.json<{ token: string; data: { device: string } }>();
    const [row, first] = await list(token);
    expect(row).toMatchObject({
      operatorId: agent.id,
      account: agent.account,
      state: 1,
      ip: '10.3.3.3',
      userAgent: 'Netscape/4',
      known: 0,
      current: 1,
      endedAt: null,
      endReason: '',
    });
    expect(row?.createdAt).toBeGreaterThanOrEqual(before);
    expect((row?.expiresAt ?? 0) - (row?.lastSeenAt ?? 0)).toBe(115 * MINUTE);
    expect(first).toMatchObject({ current: 0 });
    const again = { account: agent.account, password: PASSWORD };
    await call(server, 'POST', 'login', again, { headers: { device: data.device } });
    expect((await list(token))[0]).toMatchObject({ known: 1 });
  });

  test('filters by account, state and address', async () => {
    const { parent, child } = await tree();
    await login(server, child.account, PASSWORD);
    await call(server, 'POST', 'logout', {}, { token: child.token });
    expect(await list(parent.token, { account: child.account, state: 1 })).toHaveLength(1);
    expect(await list(parent.token, { account: child.account, state: 0 })).toMatchObject([{ endReason: 'logout' }]);
    expect(await list(parent.token, { account: `${child.account}*` })).toHaveLength(2);
    expect(await list(parent.token, { ip: '127.0.0.1' })).toHaveLength(3);
    expect(await list(parent.token, { ip: '10.0.0.1' })).toHaveLength(0);
  });

  test('shows an expired session as ended', async () => {
    const agent = await makeOperator(server, admin);
    server.clock.move(116 * MINUTE);
    const token = await login(server);
    expect(await list(token, { account: agent.account })).toMatchObject([{ state: 0, endReason: 'expired' }]);
    expect(await kick((await newest(token, agent.account)).id, token)).toMatchObject({ code: 409, msg: '会话已结束' });
  });

  test('shows why a session ended', async () => {
    const agent = await makeOperator(server, admin);
    await call(server, 'POST', 'agent/state', { id: agent.id, type: 1, state: 1 }, { token: admin });
    const token = await login(server, agent.account, PASSWORD);
    const change = { oldPassword: PASSWORD, newPassword: 'another-password' };
    await call(server, 'POST', 'pwd_update', change, { token });
    expect((await list(admin, { account: agent.account })).map(({ endReason }) => endReason)).toEqual([
      'password',
      'ability',
    ]);
  });

  test('drops sessions 90 days after their end and keeps open ones', async () => {
    const agent = await makeOperator(server, admin);
    await call(server, 'POST', 'logout', {}, { token: agent.token });
    server.clock.move(89 * DAY);
    await sweep(server.app);
    admin = await login(server);
    expect(await list(admin, { account: agent.account })).toHaveLength(1);
    server.clock.move(2 * DAY);
    await sweep(server.app);
    admin = await login(server);
    expect(await list(admin, { account: agent.account })).toHaveLength(0);
    expect((await list(admin, { account: 'admin', state: 1 })).length).toBeGreaterThan(0);
  });
});

describe('session/kick', () => {
  test('ends a session of an agent below at once and audits the reason', async () => {
    const { parent, child } = await tree();
    const second = await login(server, child.account, PASSWORD);
    const { id } = await newest(parent.token, child.account);
    const done = await kick(id, parent.token, '异常登录');
    expect(done).toMatchObject({ code: 200, data: { id, state: 0, endReason: 'kick' } });
    expect([await alive(second), await alive(child.token)]).toEqual([false, true]);
    expect(await fetchAuditRows(server, done)).toMatchObject([
      { action: 'session.kick', targetType: 'session', targetId: id, reason: '异常登录', result: 200 },
    ]);
  });

  test('ends an own session', async () => {
    const agent = await makeOperator(server, admin);
    await login(server, agent.account, PASSWORD);
    const { id } = await newest(agent.token, agent.account);
    expect(await kick(id, agent.token)).toMatchObject({ code: 200 });
    expect(await alive(agent.token)).toBe(true);
    const own = await newest(agent.token, agent.account);
    expect(own).toMatchObject({ id, state: 0 });
  });

  test('answers 404 outside the scope, and 403 for visible sessions outside the own tree', async () => {
    const { parent, child, other } = await tree();
    const above = await newest(admin, parent.account);
    const sibling = await newest(admin, other.account);
    expect(await kick(above.id, child.token)).toMatchObject({ code: 404 });
    expect(await kick(sibling.id, child.token)).toMatchObject({ code: 404 });
    const office = await makeOperator(server, admin, { abilities: [13] });
    expect(await newest(office.token, other.account)).toMatchObject({ within: 0 });
    expect(await newest(parent.token, child.account)).toMatchObject({ within: 1 });
    expect(await kick(sibling.id, office.token)).toMatchObject({ code: 403 });
    expect((await newest(admin, 'admin')).id).toBeGreaterThan(0);
    expect(await kick((await newest(admin, 'admin')).id, office.token)).toMatchObject({ code: 403 });
    expect(await alive(other.token)).toBe(true);
  });

  test('succeeds once among ten parallel calls', async () => {
    const agent = await makeOperator(server, admin);
    const { id } = await newest(admin, agent.account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => kick(id, admin)));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });
});

test('session/kick_others ends all own sessions except the current one', async () => {
  const { parent, child } = await tree();
  const others = [await login(server, parent.account, PASSWORD), await login(server, parent.account, PASSWORD)];
  const done = await call<KickOthersResult>(server, 'POST', 'session/kick_others', {}, { token: parent.token });
  expect(done).toMatchObject({ code: 200, data: { ended: 2 } });
  expect(await Promise.all([...others, parent.token, child.token].map(alive))).toEqual([false, false, true, true]);
  expect(await fetchAuditRows(server, done)).toMatchObject([{ action: 'session.kickOthers', after: { ended: 2 } }]);
});

describe('background requests of the console', () => {
  const ask = (token: string, headers: Record<string, string> = {}) =>
    call<Me>(server, 'GET', 'me', {}, { token, headers });

  test('do not extend the session; requests of the operator do', async () => {
    const agent = await makeOperator(server, admin);
    let token = agent.token;
    for (let n = 0; n < 11; n += 1) {
      server.clock.move(10 * MINUTE + 1_000);
      const answer = await ask(token, { idle: '1' });
      expect(answer.code).toBe(200);
      token = answer.token ?? token;
    }
    server.clock.move(5 * MINUTE);
    expect(await ask(token, { idle: '1' })).toMatchObject({ code: 400 });

    const busy = await login(server, agent.account, PASSWORD);
    server.clock.move(110 * MINUTE);
    const { token: next, data } = await ask(busy);
    expect(data.expire - data.now).toBe(115 * MINUTE);
    server.clock.move(110 * MINUTE);
    expect(await ask(next ?? busy)).toMatchObject({ code: 200 });
  });
});

test('forgets a device that was not used for half a year', async () => {
  const agent = await makeOperator(server, admin);
  const countDevices = async () =>
    (await server.query(sql`select 1 from device where operator_id = ${agent.id}`)).length;
  expect(await countDevices()).toBe(1);
  server.clock.move(181 * DAY);
  await sweep(server.app);
  expect(await countDevices()).toBe(0);
});
