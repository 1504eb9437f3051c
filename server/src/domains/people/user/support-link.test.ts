import type { UserLink, UserRow } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestOperator, findUser, makeOperator, makeUser } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type TestServer, call, login, platformCall, testServer, unique } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let user: UserRow;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [1] });
  user = await findUser(server, admin, await makeUser(server, { agent: agent.account }));
});
afterAll(() => server.stop());

const link = (token = admin, key?: string, id = user.id) =>
  call<UserLink>(server, 'POST', 'user/token', { id }, { token, ...(key ? { key } : {}) });
const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? '';
const redeem = (token: string) => platformCall(server, 'POST', 'support/redeem', { token });
const setUrl = (url: string) => server.query(sql`update config set str = ${url} where key = 'support.url'`);

test('creates a link that is valid for five minutes and stores only its hash', async () => {
  const before = server.clock.now();
  const answer = await link(agent.token);
  expect(answer).toMatchObject({ code: 200, data: { url: expect.any(String), expire: expect.any(Number) } });
  const { url, expire } = answer.data;
  expect(url).toMatch(/^https:\/\/platform\.example\/support\?token=[\w-]{43}$/);
  expect(expire).toBeGreaterThanOrEqual(before + 300_000);
  expect(expire).toBeLessThanOrEqual(server.clock.now() + 300_000);
  for (const table of ['support_link', 'audit', 'idempotency', 'command']) {
    const found = await server.query(
      sql`select 1 from ${sql.table(table)} t where t::text like ${`%${tokenOf(url)}%`}`,
    );
    expect([table, found]).toEqual([table, []]);
  }
  expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
    { action: 'user.token', operator: agent.account, targetId: user.id, after: { readOnly: true } },
  ]);
});

test('redeems a link once, read-only, and returns the user and the operator', async () => {
  const own = await findUser(server, admin, await makeUser(server, { agent: agent.account }));
  const token = tokenOf((await link(agent.token, undefined, own.id)).data.url);
  expect(await redeem(token)).toMatchObject({
    status: 200,
    data: { account: own.account, readOnly: true, operator: agent.account, at: expect.any(Number) },
  });
  expect(await redeem(token)).toMatchObject({ status: 404, data: null });
  const used = await fetchAuditRows(server, { targetType: 'user', targetId: own.id });
  expect(used.filter(({ action }) => action === 'user.redeem')).toMatchObject([
    { operator: agent.account, result: 200 },
  ]);
});

test('redeems a link once when ten calls race', async () => {
  const token = tokenOf((await link()).data.url);
  const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(token)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 404),
  ]);
});

test('rejects a link after five minutes', async () => {
  const { url, expire } = (await link()).data;
  server.clock.move(expire - server.clock.now());
  expect(await redeem(tokenOf(url))).toMatchObject({ status: 404 });
  server.clock.move(-300_000);
});

test('rejects unknown and malformed tokens', async () => {
  expect(await redeem('x'.repeat(43))).toMatchObject({ status: 404 });
  expect(await redeem('')).toMatchObject({ status: 422 });
  expect(await redeem('not a token')).toMatchObject({ status: 422 });
  expect(await platformCall(server, 'POST', 'support/redeem', { token: 'x', more: 1 })).toMatchObject({ status: 422 });
});

test('rejects a link whose operator is disabled, has lost the ability or has lost the user', async () => {
  const other = await makeOperator(server, admin, { abilities: [1] });
  const account = await makeUser(server, { agent: other.account });
  const { id } = await findUser(server, admin, account);
  const newToken = async () => tokenOf((await link(other.token, undefined, id)).data.url);
  const tokens = [await newToken(), await newToken(), await newToken(), await newToken()];
  const set = (change: ReturnType<typeof sql>) => server.query(sql`update agent set ${change} where id = ${other.id}`);
  await set(sql`state = 0`);
  expect(await redeem(tokens[0] ?? '')).toMatchObject({ status: 404 });
  await set(sql`state = 1, abilities = '{}'`);
  expect(await redeem(tokens[1] ?? '')).toMatchObject({ status: 404 });
  await set(sql`abilities = '{1}'`);
  expect(await redeem(tokens[2] ?? '')).toMatchObject({ status: 200 });
  await call(server, 'POST', 'user/agent/change', { userId: id, agent: agent.account }, { token: admin });
  expect(await redeem(tokens[3] ?? '')).toMatchObject({ status: 404 });
});

test('rejects a link to a deleted user', async () => {
  const account = await makeUser(server);
  const { id } = await findUser(server, admin, account);
  const token = tokenOf((await link(admin, undefined, id)).data.url);
  expect(await call(server, 'POST', 'user/del', { id }, { token: admin })).toMatchObject({ code: 200 });
  expect(await redeem(token)).toMatchObject({ status: 404 });
});

test('does not return the link again when the call is repeated with the same key', async () => {
  const key = unique('key');
  expect((await link(admin, key)).data.url).toContain('token=');
  expect(await link(admin, key)).toMatchObject({ code: 200, data: null });
});

test('keeps the query of the configured address and answers 422 without a valid address', async () => {
  await setUrl('https://site.example/help?lang=zh');
  expect((await link()).data.url).toMatch(/^https:\/\/site\.example\/help\?lang=zh&token=[\w-]{43}$/);
  for (const bad of ['', '  ', 'site', 'javascript:alert(1)']) {
    await setUrl(bad);
    expect(await link()).toMatchObject({ code: 422, msg: '请先在系统设置中填写平台站点的客服链接地址' });
  }
  await setUrl('https://platform.example/support');
});
