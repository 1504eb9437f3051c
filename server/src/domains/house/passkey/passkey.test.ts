import type { PasskeyList } from '@hengtai/contract/house/passkey/schema';
import type { OtpSetup } from '@hengtai/contract/house/otp/schema';
import type { LoginData, Me } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Lies, makeAuthenticator } from '../../../../test/authenticator.ts';
import { codeAt, makeOtpOperator } from '../../../../test/codes.ts';
import { PASSWORD, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { add, begin, confirm, enrol, keyed, makePasskeyOperator, send } from '../../../../test/passkeys.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  server.app.relyingParty = { id: 'localhost', origin: 'http://localhost:8080' };
  admin = await login(server);
});

const listOf = async (token: string): Promise<PasskeyList> =>
  (await call<PasskeyList>(server, 'GET', 'passkey/list', {}, { token })).data;
const alive = async (token: string): Promise<boolean> => (await call(server, 'GET', 'me', {}, { token })).code === 200;
const enter = (account: string): Promise<ApiResponse<LoginData>> =>
  call<LoginData>(server, 'POST', 'login', { account, password: PASSWORD });

describe('adding a passkey', () => {
  test('the first needs the password, and ends the other sessions', async () => {
    const agent = await makeOperator(server, admin);
    const other = await login(server, agent.account, PASSWORD);
    expect(await enrol(server, agent.token)).toMatchObject({ code: 401, msg: '密码错误' });
    expect(await enrol(server, agent.token, 'not-the-password')).toMatchObject({ code: 401 });
    const { data } = await enrol(server, agent.token, PASSWORD);
    expect(data).toMatchObject({
      rp: { id: 'localhost', name: 'HengTai' },
      user: { name: agent.account },
      attestation: 'none',
      excludeCredentials: [],
    });
    const added = await add(server, agent.token, makeAuthenticator().create(data));
    expect(added).toMatchObject({ code: 200, data: { name: 'YubiKey', usable: true, attachment: 'cross-platform' } });
    expect([await alive(agent.token), await alive(other)]).toEqual([true, false]);
    expect((await call<Me>(server, 'GET', 'me', {}, { token: agent.token })).data).toMatchObject({ otp: 1 });
    const [row] = await fetchAuditRows(server, added);
    expect(row).toMatchObject({ action: 'passkey.add', after: { passkey: 'YubiKey', address: 'localhost', ended: 1 } });
    // Neither the id nor the key of the credential is recorded.
    expect(JSON.stringify(row)).not.toContain('credential');
  });

  test('a further one needs a fresh factor, a passkey or a code', async () => {
    const agent = await makePasskeyOperator(server, admin);
    expect(await enrol(server, agent.token, PASSWORD)).toMatchObject({ code: 428, data: { passkey: true } });
    const one = keyed('passkey/enrol', {});
    expect(await confirm(server, agent, one)).toMatchObject({ code: 200 });
    const options = await send<never>(server, agent.token, one);
    expect(options).toMatchObject({ code: 200, data: { excludeCredentials: [{ id: agent.authenticator.id }] } });
    expect(
      await add(server, agent.token, makeAuthenticator({ algorithm: 'EdDSA' }).create(options.data), '手机'),
    ).toMatchObject({
      code: 200,
    });
    expect((await listOf(agent.token)).passkeys.map(({ name }) => name)).toEqual(['YubiKey', '手机']);
    // A confirmation serves one call.
    expect(await send(server, agent.token, one)).toMatchObject({ code: 428 });

    const coded = await makeOtpOperator(server, admin);
    expect((await enrol(server, coded.token)).code).toBe(200);
    server.clock.move(6 * 60_000);
    expect(await enrol(server, coded.token, PASSWORD)).toMatchObject({ code: 428, msg: '请输入一次性验证码' });
  });

  const lies: [string, Lies][] = [
    ['another origin', { origin: 'http://localhost:9999' }],
    ['another address', { rpId: 'evil.example' }],
    ['a page inside another', { crossOrigin: true }],
    ['an unknown challenge', { challenge: 'AAAA' }],
    ['an id that was not signed', { id: 'AAAA' }],
  ];
  test.each(lies)('refuses %s', async (_name, lie) => {
    const agent = await makeOperator(server, admin);
    const { data } = await enrol(server, agent.token, PASSWORD);
    expect(await add(server, agent.token, makeAuthenticator().create(data, lie))).toMatchObject({ code: 401 });
    expect((await listOf(agent.token)).passkeys).toEqual([]);
  });

  test('refuses a challenge that was answered, has expired, or belongs to another session', async () => {
    const agent = await makeOperator(server, admin);
    const authenticator = makeAuthenticator();
    const { data: late } = await enrol(server, agent.token, PASSWORD);
    server.clock.move(5 * 60_000 + 1_000);
    expect(await add(server, agent.token, authenticator.create(late))).toMatchObject({ code: 401 });
    const other = await makeOperator(server, admin);
    const { data: stolen } = await enrol(server, other.token, PASSWORD);
    expect(await add(server, agent.token, authenticator.create(stolen))).toMatchObject({ code: 401 });
    const { data } = await enrol(server, agent.token, PASSWORD);
    const passkey = authenticator.create(data);
    expect(await add(server, agent.token, passkey)).toMatchObject({ code: 200 });
    expect(await add(server, agent.token, passkey)).toMatchObject({ code: 401 });
    // The same authenticator cannot serve two operators.
    const { data: third } = await enrol(server, other.token, PASSWORD);
    expect(await add(server, other.token, authenticator.create(third))).toMatchObject({ code: 409 });
  });

  test('is refused without an address that has a name', async () => {
    const agent = await makeOperator(server, admin);
    server.app.relyingParty = undefined;
    expect(await enrol(server, agent.token, PASSWORD)).toMatchObject({ code: 409 });
    expect(await listOf(agent.token)).toMatchObject({ origin: null, passkeys: [] });
  });
});

test('every challenge is new and has 256 bits', async () => {
  const agent = await makePasskeyOperator(server, admin);
  const one = keyed('passkey/del', { id: agent.passkey.id });
  const asked = await Promise.all(Array.from({ length: 5 }, () => begin(server, agent.token, one)));
  const challenges = asked.map(({ data }) => Buffer.from(data.challenge, 'base64url'));
  expect(challenges.map(({ length }) => length)).toEqual([32, 32, 32, 32, 32]);
  expect(new Set(challenges.map((challenge) => challenge.toString('hex'))).size).toBe(5);
});

test('the role of the servers cannot change the key or the owner of a passkey', async () => {
  const { passkey } = await makePasskeyOperator(server, admin);
  for (const column of ['public_key', 'credential_id', 'operator_id', 'rp_id', 'user_handle']) {
    const update = sql`update passkey set ${sql.ref(column)} = ${sql.ref(column)} where id = ${passkey.id}`;
    await expect(update.execute(server.app.system)).rejects.toMatchObject({ code: '42501' });
  }
});

describe('own passkeys', () => {
  test('are renamed, and removed with a fresh factor; the last one ends the second factor', async () => {
    const agent = await makePasskeyOperator(server, admin);
    const { id } = agent.passkey;
    const renamed = await call(server, 'POST', 'passkey/rename', { id, name: '办公室' }, { token: agent.token });
    expect(renamed).toMatchObject({ code: 200, data: { name: '办公室' } });
    const one = keyed('passkey/del', { id });
    expect(await send(server, agent.token, one)).toMatchObject({ code: 428 });
    await confirm(server, agent, one);
    const removed = await send(server, agent.token, one);
    expect(removed).toMatchObject({ code: 200 });
    expect(await fetchAuditRows(server, removed)).toMatchObject([
      { action: 'passkey.del', after: { passkey: '办公室' } },
    ]);
    expect(await enter(agent.account)).toMatchObject({ code: 200 });
  });

  test('of another operator answer 404', async () => {
    const [one, other] = [await makeOperator(server, admin), await makePasskeyOperator(server, admin)];
    const { id } = other.passkey;
    for (const [path, body] of [
      ['rename', { id, name: 'x' }],
      ['del', { id }],
    ] as const)
      expect(await call(server, 'POST', `passkey/${path}`, body, { token: one.token })).toMatchObject({ code: 404 });
    expect((await listOf(other.token)).passkeys).toMatchObject([{ name: 'YubiKey' }]);
  });

  test('of an earlier address are listed as such', async () => {
    const agent = await makePasskeyOperator(server, admin);
    server.app.relyingParty = { id: 'desk.example.com', origin: 'https://desk.example.com' };
    expect((await listOf(agent.token)).passkeys).toMatchObject([{ address: 'localhost', usable: false }]);
  });

  test('replace a code where codes are changed', async () => {
    const agent = await makePasskeyOperator(server, admin);
    const setup = keyed('otp/setup', { password: PASSWORD });
    expect(await send(server, agent.token, setup)).toMatchObject({ code: 428 });
    await confirm(server, agent, setup);
    const { secret } = (await send<OtpSetup>(server, agent.token, setup)).data;
    const code = codeAt(secret, server.clock.now());
    expect(await call(server, 'POST', 'otp/confirm', { code }, { token: agent.token })).toMatchObject({ code: 200 });
    for (const one of [keyed('otp/recovery', {}), keyed('otp/disable', { password: PASSWORD })]) {
      expect(await send(server, agent.token, one)).toMatchObject({ code: 428, data: { passkey: true } });
      await confirm(server, agent, one);
      const done = await send(server, agent.token, one);
      expect(done).toMatchObject({ code: 200 });
      expect(await fetchAuditRows(server, done)).toMatchObject([{ after: { by: 'passkey' } }]);
    }
    // Without a passkey, the code is a required field.
    const coded = await makeOtpOperator(server, admin);
    expect(await send(server, coded.token, keyed('otp/recovery', {}))).toMatchObject({
      code: 422,
      msg: '请输入验证码',
    });
  });
});

describe('agent/otp/reset', () => {
  test('removes passkeys and codes', async () => {
    const parent = await makeOperator(server, admin);
    const agent = await makePasskeyOperator(server, admin, { parent: parent.account });
    const input = { id: agent.id, reason: '遗失' };
    const done = await call(server, 'POST', 'agent/otp/reset', input, { token: parent.token });
    expect(done).toMatchObject({ code: 200, data: { otp: 0 } });
    expect(await fetchAuditRows(server, done)).toMatchObject([
      { before: { otp: 1, passkeys: ['YubiKey'] }, after: { otp: 0 } },
    ]);
    expect(await alive(agent.token)).toBe(false);
    const entered = await enter(agent.account);
    expect(entered).toMatchObject({ code: 200 });
    expect((await listOf(entered.token ?? '')).passkeys).toEqual([]);
  });
});
