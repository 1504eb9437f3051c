import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { FactorOffer, PasskeyOffer, PasskeyRequest } from '@hengtai/contract/house/passkey/schema';
import type { LoginData, Me } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Lies } from '../../../../test/authenticator.ts';
import { STEP_MS, codeAt, enableOtp, makeOtpOperator } from '../../../../test/codes.ts';
import { PASSWORD, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import {
  type PasskeyOperator,
  addFirstPasskey,
  confirm,
  keyed,
  makePasskeyOperator,
  send,
} from '../../../../test/passkeys.ts';
import { ADMIN, type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';

const HERE = { id: 'localhost', origin: 'http://localhost:8080' };
const THERE = { id: 'desk.example.com', origin: 'https://desk.example.com' };

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());
beforeEach(() => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  server.app.relyingParty = HERE;
});

type Answer = ApiResponse<LoginData & FactorOffer>;
const enter = (account: string, more: object = {}): Promise<Answer> =>
  call(server, 'POST', 'login', { account, password: PASSWORD, ...more });
const requestOf = ({ data }: Answer): PasskeyRequest => {
  if (!data.passkey) throw new Error('no passkey was asked for');
  return data.passkey;
};
const enterWith = async ({ account, authenticator }: PasskeyOperator, lies?: Lies): Promise<Answer> =>
  enter(account, { passkey: authenticator.get(requestOf(await enter(account)), lies) });
const freshAdmin = async (): Promise<string> => {
  server.clock.move(STEP_MS);
  return login(server);
};

describe('a login with a passkey as second factor', () => {
  test('asks for it after the right password only, and names it in the audit log', async () => {
    const agent = await makePasskeyOperator(server, await freshAdmin());
    const wrong = { account: agent.account, password: 'not-the-password' };
    expect(await call(server, 'POST', 'login', wrong)).toMatchObject({ code: 401, data: null });
    const asked = await enter(agent.account);
    expect(asked).toMatchObject({ code: 428, data: { code: false, elsewhere: [] } });
    expect(requestOf(asked)).toMatchObject({ rpId: 'localhost', userVerification: 'preferred' });
    const passkey = agent.authenticator.get(requestOf(asked));
    // A wrong password does not use the challenge up.
    expect(await call(server, 'POST', 'login', { ...wrong, passkey })).toMatchObject({ code: 401 });
    const entered = await enter(agent.account, { passkey });
    expect(entered).toMatchObject({ code: 200 });
    expect(await fetchAuditRows(server, entered)).toMatchObject([
      { action: 'session.login', after: { by: 'passkey', passkey: 'YubiKey' } },
    ]);
    expect(await enter(agent.account, { passkey })).toMatchObject({ code: 401 });
    // It confirms the login and no action after it.
    const one = keyed('channel/save', {
      kind: 'webhook',
      name: 'x',
      address: 'https://a.example',
      types: [],
      enabled: 1,
    });
    expect(await send(server, entered.token ?? '', one)).toMatchObject({ code: 428 });
  });

  test('needs no verification of the user', async () => {
    const agent = await makePasskeyOperator(server, await freshAdmin());
    expect(await enterWith(agent, { verified: false })).toMatchObject({ code: 200 });
  });

  const lies: [string, Lies][] = [
    ['from another origin', { origin: 'https://localhost:8080' }],
    ['for another address', { rpId: 'evil.example' }],
    ['of an unknown challenge', { challenge: 'AAAA' }],
    ['with a counter that did not go up', { counter: 1 }],
  ];
  test.each(lies)('refuses an assertion %s', async (_name, lie) => {
    expect(await enterWith(await makePasskeyOperator(server, await freshAdmin()), lie)).toMatchObject({
      code: 401,
      msg: '账号、密码或验证码错误',
    });
  });

  test('takes the passkey of a login that gives a code as well', async () => {
    const agent = await makePasskeyOperator(server, await freshAdmin());
    const passkey = agent.authenticator.get(requestOf(await enter(agent.account)));
    const entered = await enter(agent.account, { passkey, otp: '000000' });
    expect(entered).toMatchObject({ code: 200 });
    expect(await fetchAuditRows(server, entered)).toMatchObject([{ after: { by: 'passkey' } }]);
  });

  test('accepts a code of an operator who has both', async () => {
    const agent = await makeOtpOperator(server, await freshAdmin());
    server.clock.move(STEP_MS);
    expect(
      await call(
        server,
        'POST',
        'otp/fresh',
        { code: codeAt(agent.secret, server.clock.now()) },
        { token: agent.token },
      ),
    ).toMatchObject({ code: 200 });
    await addFirstPasskey(server, agent.token);
    server.clock.move(STEP_MS);
    expect((await enter(agent.account)).data).toMatchObject({ code: true });
    expect(await enter(agent.account, { otp: codeAt(agent.secret, server.clock.now()) })).toMatchObject({ code: 200 });
  });

  test('says so when the passkeys belong to an earlier address', async () => {
    const agent = await makePasskeyOperator(server, await freshAdmin());
    const request = requestOf(await enter(agent.account));
    for (const relyingParty of [THERE, undefined]) {
      server.app.relyingParty = relyingParty;
      const asked = await enter(agent.account);
      expect(asked).toMatchObject({
        code: 428,
        msg: '您的通行密钥属于其他地址，在当前地址不能使用',
        data: { passkey: null, elsewhere: ['localhost'] },
      });
      // It is no way around the second factor.
      expect(await enter(agent.account, { passkey: agent.authenticator.get(request) })).toMatchObject({ code: 401 });
    }
  });
});

describe('settings for passkeys', () => {
  const switchSetting = async (key: string, state: 0 | 1, boss: PasskeyOperator): Promise<ApiResponse> => {
    const rows = (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: boss.token })).data;
    const one = keyed('config/save', { id: rows.find((row) => row.key === key)?.id, state });
    await confirm(server, boss, one);
    return send(server, boss.token, one);
  };
  let boss: PasskeyOperator;

  // The passkey of the admin would be asked for in the other tests.
  beforeAll(async () => {
    const open = server;
    server = await testServer({ jobs: false });
    server.app.relyingParty = HERE;
    admin = await login(server);
    const rows = (await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin })).data;
    for (const { id } of rows.filter(({ key }) => key.startsWith('passkey.')))
      expect(await call(server, 'POST', 'config/save', { id, state: 1 }, { token: admin })).toMatchObject({
        code: 422,
      });
    const own = await addFirstPasskey(server, admin, { password: ADMIN.password });
    boss = { ...ADMIN, ...own, id: 1, token: admin };
    return async () => {
      await server.stop();
      server = open;
    };
  });
  beforeEach(async () => {
    const asked: Answer = await call(server, 'POST', 'login', ADMIN);
    const passkey = boss.authenticator.get(requestOf(asked));
    boss.token = (await call(server, 'POST', 'login', { ...ADMIN, passkey })).token ?? '';
  });

  test('passkey.only refuses codes to an operator with a passkey, and requires one of everybody', async () => {
    const coded = await makeOperator(server, boss.token);
    const { secret } = await enableOtp(server, coded.token);
    const plain = await makeOperator(server, boss.token);
    expect(await switchSetting('passkey.only', 1, boss)).toMatchObject({ code: 200 });
    const due = { code: 428, msg: '系统仅接受通行密钥，请先添加一个通行密钥', data: { setup: true } };
    for (const { account, more } of [
      { account: coded.account, more: { otp: codeAt(secret, server.clock.now()) } },
      { account: plain.account, more: {} },
    ]) {
      const { token = '' } = await enter(account, more);
      expect(await call(server, 'GET', 'withdraw/list', {}, { token })).toMatchObject(due);
      expect((await call<Me>(server, 'GET', 'me', {}, { token })).data).toMatchObject({ passkeyDue: true });
      await addFirstPasskey(server, token);
      expect(await call(server, 'GET', 'withdraw/list', {}, { token })).toMatchObject({ code: 200 });
    }
    server.clock.move(STEP_MS);
    const otp = codeAt(secret, server.clock.now());
    const refused = await enter(coded.account, { otp });
    expect(refused).toMatchObject({ code: 428, msg: '请使用通行密钥验证身份', data: { code: false } });
    expect(requestOf(refused).allowCredentials).toHaveLength(1);
    expect(await switchSetting('passkey.only', 0, boss)).toMatchObject({ code: 200 });
    expect(await enter(coded.account, { otp })).toMatchObject({ code: 200 });
  });

  describe('passkey.alone', () => {
    const beginAlone = (): Promise<ApiResponse<PasskeyRequest>> => call(server, 'POST', 'login/passkey/begin', {});
    const enterAlone = async (lies?: Lies, authenticator = boss.authenticator): Promise<ApiResponse> =>
      call(server, 'POST', 'login/passkey', { passkey: authenticator.get((await beginAlone()).data, lies) });
    const offer = async (): Promise<PasskeyOffer> =>
      (await call<PasskeyOffer>(server, 'GET', 'login/passkey/offer', {})).data;

    test('opens nothing while it is off', async () => {
      expect(await switchSetting('passkey.alone', 0, boss)).toMatchObject({ code: 200 });
      expect(await offer()).toEqual({ alone: false, origin: HERE.origin });
      expect(await beginAlone()).toMatchObject({ code: 403 });
      const asked: Answer = await call(server, 'POST', 'login', ADMIN);
      const passkey = boss.authenticator.get(requestOf(asked));
      expect(await call(server, 'POST', 'login/passkey', { passkey })).toMatchObject({ code: 403 });
    });

    test('opens a session without a password if the user was verified', async () => {
      expect(await switchSetting('passkey.alone', 1, boss)).toMatchObject({ code: 200 });
      expect(await offer()).toEqual({ alone: true, origin: HERE.origin });
      const entered = await enterAlone();
      expect(entered).toMatchObject({ code: 200, data: { admin: ADMIN.account } });
      expect(await fetchAuditRows(server, entered)).toMatchObject([
        { action: 'session.login', after: { by: 'passkey', passkey: 'YubiKey', alone: 1 } },
      ]);
      const refused = await enterAlone({ verified: false });
      expect(refused).toMatchObject({ code: 401 });
      expect(await fetchAuditRows(server, refused)).toMatchObject([{ action: 'session.login', result: 401 }]);
      for (const lie of [
        { id: 'AAAA' },
        { origin: THERE.origin },
        { rpId: THERE.id },
        { challenge: 'AAAA' },
        { counter: 1 },
      ])
        expect([lie, (await enterAlone(lie)).code]).toEqual([lie, 401]);
      // A challenge of a login with a password asks for no verification of the user.
      const asked: Answer = await call(server, 'POST', 'login', ADMIN);
      const passkey = boss.authenticator.get(requestOf(asked));
      expect(await call(server, 'POST', 'login/passkey', { passkey })).toMatchObject({ code: 401 });
      await server.query(sql`update agent set state = 0 where account = ${ADMIN.account}`);
      expect(await enterAlone()).toMatchObject({ code: 401 });
      await server.query(sql`update agent set state = 1 where account = ${ADMIN.account}`);
    });

    test('limits guesses as a password does', async () => {
      await switchSetting('passkey.alone', 1, boss);
      const codes: number[] = [];
      for (let n = 0; n < 21; n += 1) codes.push((await enterAlone({ verified: false })).code);
      expect(codes).toEqual([...Array<number>(20).fill(401), 429]);
      server.clock.move(3_600_000);
      for (let n = 0; n < 300; n += 1) await beginAlone();
      expect(await beginAlone()).toMatchObject({ code: 429 });
    });
  });
});
