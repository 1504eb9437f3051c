import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lies, type OidcProvider, startOidcProvider } from '../../../../../testing/oidc-provider.ts';
import { STEP_MS, codeAt, makeOtpOperator } from '../../../../test/codes.ts';
import { PASSWORD, type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { begin, finish, linkDirectly, logInByOidc, settingsFor, useOidc, visit } from '../../../../test/oidc.ts';
import { type TestServer, call, login, testServer } from '../../../../test/server.ts';

// What a hostile or broken provider, and a thief of answers, can try.

let server: TestServer;
let provider: OidcProvider;
let agent: TestOperator;
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  server = await testServer({ jobs: false, log });
  provider = await useOidc(server);
  agent = await makeOperator(server, await login(server));
  await linkDirectly(server, provider, agent.id, 'account-1');
});
afterAll(async () => {
  await provider.stop();
  await server.stop();
});
beforeEach(() => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  provider.lies = {};
  provider.account = { subject: 'account-1' };
  server.app.oidc = settingsFor(provider);
});

const countSessions = async (): Promise<number> =>
  (await server.query(sql<{ n: number }>`select count(*) as n from session where by_oidc`))[0]?.n ?? 0;

test('opens a session of the linked operator', async () => {
  const before = await countSessions();
  const entered = await logInByOidc(server, provider);
  expect(entered).toMatchObject({ code: 200, msg: '登录成功', data: { admin: agent.account } });
  expect(await call(server, 'GET', 'me', {}, { token: entered.token })).toMatchObject({ data: { id: agent.id } });
  expect(await countSessions()).toBe(before + 1);
});

const now = Math.floor(Date.now() / 1000);
const answers: [string, Lies, string][] = [
  ['a token of another issuer', { claims: { iss: 'https://evil.example' } }, '企业登录的签发方与配置不符，未登录'],
  [
    'an answer of another provider (mix-up)',
    { response: { iss: 'https://evil.example' } },
    '企业登录的签发方与配置不符，未登录',
  ],
  ['an answer that names no provider', { response: { iss: undefined } }, '企业登录的签发方与配置不符，未登录'],
  ['a token signed by another key', { signature: 'other key' }, '企业登录凭证的签名无效，未登录'],
  ['a token signed by an unpublished key', { signature: 'other kid' }, '企业登录凭证的签名无效，未登录'],
  ['a token whose content was changed', { signature: 'changed' }, '企业登录凭证的签名无效，未登录'],
  ['a token signed with the secret of the client', { signature: 'client secret' }, '企业登录凭证未通过校验，未登录'],
  ['a token signed with the public key as secret', { signature: 'public key' }, '企业登录凭证未通过校验，未登录'],
  ['a token without signature', { signature: 'none' }, '企业登录凭证未通过校验，未登录'],
  ['an expired token', { claims: { iat: now - 7200, exp: now - 3600 } }, '企业登录凭证已过期，请重新登录'],
  ['a token of the future', { claims: { iat: now + 420 } }, '企业登录凭证的时间晚于本服务器，请联系管理员核对时钟'],
  [
    'a token that is not valid yet',
    { claims: { nbf: now + 420 } },
    '企业登录凭证的时间晚于本服务器，请联系管理员核对时钟',
  ],
  ['a token for another client', { claims: { aud: 'other' } }, '企业登录凭证未通过校验，未登录'],
  ['a token for several clients', { claims: { aud: ['hengtai', 'other'] } }, '企业登录凭证未通过校验，未登录'],
  ['a token without account', { claims: { sub: undefined } }, '企业登录凭证未通过校验，未登录'],
  ['a token of another login (nonce)', { claims: { nonce: 'replayed' } }, '企业登录凭证不属于本次登录，未登录'],
  ['a token without nonce', { claims: { nonce: undefined } }, '企业登录凭证未通过校验，未登录'],
  ['another state', { response: { state: 'replayed' } }, '本次企业登录已过期、已使用或不是从此浏览器开始，请重新登录'],
  ['an unknown code', { response: { code: 'unknown' } }, '企业登录凭证未通过校验，未登录'],
  ['a refusal of the provider', { response: { code: undefined, error: 'access_denied' } }, '企业登录已取消或被拒绝'],
  ['a failing token endpoint', { fails: '/token' }, '无法连接企业登录服务，请稍后再试或联系管理员'],
];
test.each(answers)('opens no session for %s, and logs why', async (_name, lies, msg) => {
  const before = await countSessions();
  logged.length = 0;
  provider.lies = lies;
  const refused = await logInByOidc(server, provider);
  expect(refused).toMatchObject({ msg, data: null });
  expect(refused.token).toBeUndefined();
  expect(await countSessions()).toBe(before);
  const text = logged.join('');
  expect(text).toContain('login by the identity provider refused');
  // Neither the secret nor a token.
  expect(text).not.toMatch(/provider-secret|eyJ/);
  // The provider is believed again as soon as it tells the truth.
  provider.lies = {};
  expect(await logInByOidc(server, provider)).toMatchObject({ code: 200 });
});

test('accepts a token of a clock that is a few minutes ahead', async () => {
  provider.lies = { claims: { iat: now + 240 } };
  expect(await logInByOidc(server, provider)).toMatchObject({ code: 200 });
});

test('opens no session while the provider is another one, fails or is down, and opens them afterwards', async () => {
  const before = await countSessions();
  provider.lies = { discovery: { issuer: 'https://evil.example' } };
  expect(await begin(server)).toMatchObject({ code: 401, msg: '企业登录的签发方与配置不符，未登录' });
  server.app.oidc = settingsFor(provider);
  provider.lies = { fails: '/.well-known/openid-configuration' };
  expect(await begin(server)).toMatchObject({ code: 503, msg: '无法连接企业登录服务，请稍后再试或联系管理员' });
  server.app.oidc = settingsFor(provider, { issuer: 'http://127.0.0.1:9' });
  expect(await begin(server)).toMatchObject({ code: 503, msg: '无法连接企业登录服务，请稍后再试或联系管理员' });
  expect(await countSessions()).toBe(before);
  server.app.oidc = settingsFor(provider);
  provider.lies = {};
  expect(await logInByOidc(server, provider)).toMatchObject({ code: 200 });
});

test('a slow provider delays only its own logins', async () => {
  server.app.oidc = settingsFor(provider, { timeoutSeconds: 60 });
  const { flow, response } = await visit(server, provider);
  provider.lies = { hangs: '/token' };
  let isAnswered = false;
  const slow = finish(server, { flow, response }).finally(() => (isAnswered = true));
  // More than the logins by password that run at once.
  const others = Array.from({ length: 4 }, () =>
    call(server, 'POST', 'login', { account: agent.account, password: PASSWORD }),
  );
  for (const entered of await Promise.all(others)) expect(entered).toMatchObject({ code: 200 });
  expect(isAnswered).toBe(false);
  provider.disconnect();
  expect(await slow).toMatchObject({ code: 503, msg: '无法连接企业登录服务，请稍后再试或联系管理员' });
});

test('waits for a slow provider for a limited time', async () => {
  const answer = await visit(server, provider);
  provider.lies = { hangs: '/token' };
  expect(await finish(server, answer)).toMatchObject({
    code: 503,
    msg: '企业登录服务响应超时，请稍后再试或联系管理员',
  });
});

test('asks for the discovery document once', async () => {
  const path = '/.well-known/openid-configuration';
  server.app.oidc = settingsFor(provider);
  const before = provider.requests.get(path) ?? 0;
  await Promise.all([begin(server), begin(server), begin(server)]);
  await logInByOidc(server, provider);
  expect(provider.requests.get(path)).toBe(before + 1);
});

test('reads the discovery document and the keys again after a refusal, at most once a minute', async () => {
  const changing = await startOidcProvider();
  const { id } = await makeOperator(server, await login(server));
  await linkDirectly(server, changing, id, 'account-1');
  server.app.oidc = settingsFor(changing);
  const discoveries = (): number => changing.requests.get('/.well-known/openid-configuration') ?? 0;
  expect(await logInByOidc(server, changing)).toMatchObject({ code: 200 });
  changing.changeKey();
  for (let n = 0; n < 2; n += 1)
    expect(await logInByOidc(server, changing)).toMatchObject({ code: 401, msg: '企业登录凭证未通过校验，未登录' });
  expect(discoveries()).toBe(1);
  server.clock.move(60_000);
  for (let n = 0; n < 2; n += 1) expect(await logInByOidc(server, changing)).toMatchObject({ code: 200 });
  expect(discoveries()).toBe(2);
  await changing.stop();
});

const FLOW = '本次企业登录已过期、已使用或不是从此浏览器开始，请重新登录';

test('accepts an answer once, only of the browser that began, and only in time', async () => {
  const { flow, response } = await visit(server, provider);
  const other = await visit(server, provider);
  // The answer of one login with the flow of another, as a thief of the address line would send it.
  expect(await finish(server, { flow: other.flow, response })).toMatchObject({ code: 401, msg: FLOW });
  expect(await finish(server, { flow: 'x'.repeat(43), response })).toMatchObject({ code: 401, msg: FLOW });
  expect(await finish(server, { flow, response })).toMatchObject({ code: 200 });
  expect(await finish(server, { flow, response })).toMatchObject({ code: 401, msg: FLOW });
  expect(await finish(server, { flow })).toMatchObject({ code: 401, msg: FLOW });
  // A wrong answer used the other login up.
  expect(await finish(server, other)).toMatchObject({ code: 401, msg: FLOW });
  const late = await visit(server, provider);
  server.clock.move(10 * 60_000 + 1);
  expect(await finish(server, late)).toMatchObject({ code: 401, msg: FLOW });
});

test('two copies of one answer open one session', async () => {
  const before = await countSessions();
  const answer = await visit(server, provider);
  const outcomes = await Promise.all([finish(server, answer), finish(server, answer), finish(server, answer)]);
  expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  expect(await countSessions()).toBe(before + 1);
});

test('asks for the second factor that is enrolled here, whatever the provider claims', async () => {
  const admin = await login(server);
  const owner = await makeOtpOperator(server, admin);
  await linkDirectly(server, provider, owner.id, 'account-otp');
  provider.account = { subject: 'account-otp' };
  const { flow, response } = await visit(server, provider);
  const asked = await finish(server, { flow, response });
  expect(asked).toMatchObject({ code: 428 });
  expect(asked.token).toBeUndefined();
  expect(await finish(server, { flow, otp: '000000' })).toMatchObject({ code: 401 });
  server.clock.move(STEP_MS);
  const otp = codeAt(owner.secret, server.clock.now());
  const entered = await finish(server, { flow, otp });
  expect(entered).toMatchObject({ code: 200 });
  const [row] = await server.query(sql<{ after: object }>`
    select after from audit where action = 'session.login' and result = 200 order by id desc limit 1`);
  expect(row?.after).toMatchObject({ first: 'oidc', subject: 'account-otp', by: 'code' });
  server.clock.move(STEP_MS);
  const again = { flow, otp: codeAt(owner.secret, server.clock.now()) };
  expect(await finish(server, again)).toMatchObject({ code: 401, msg: FLOW });
});

test('a verified answer waits five minutes for the second factor', async () => {
  const owner = await makeOtpOperator(server, await login(server));
  await linkDirectly(server, provider, owner.id, 'account-late');
  provider.account = { subject: 'account-late' };
  const answer = await visit(server, provider);
  expect(await finish(server, answer)).toMatchObject({ code: 428 });
  server.clock.move(5 * 60_000 + 1);
  const otp = codeAt(owner.secret, server.clock.now());
  expect(await finish(server, { flow: answer.flow, otp })).toMatchObject({ code: 401, msg: FLOW });
});

test('limits how often an address begins', async () => {
  await server.query(sql`delete from login_guard`);
  await server.query(sql`insert into login_guard (name, times, last_at)
    select 'oidc address 127.0.0.1', array_agg(${server.clock.now()}::bigint), ${server.clock.now()} from generate_series(1, 300)`);
  expect(await begin(server)).toMatchObject({ code: 429 });
});

test('is off without a provider', async () => {
  server.app.oidc = undefined;
  expect(await call(server, 'GET', 'login/oidc/offer')).toMatchObject({ code: 200, data: { origin: null } });
  expect(await begin(server)).toMatchObject({ code: 403, msg: '未配置企业登录' });
  expect(await finish(server, { flow: 'x'.repeat(43) })).toMatchObject({ code: 403 });
});
