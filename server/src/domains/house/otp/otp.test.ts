import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OtpRecovery, OtpSetup, OtpState } from '@hengtai/contract/house/otp/schema';
import type { LoginData, Me } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { STEP_MS, codeAt, makeOtpOperator, enableOtp, wrongCode } from '../../../../test/codes.ts';
import { PASSWORD, makeOperator } from '../../../../test/factories.ts';
import { fetchAuditRows, waitUntilBlocked } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';
import { isDigits, newRecoveryCodes, plainCode, stepOf } from './code.ts';
import { agentBits } from '../../../database/agent-bits.ts';
import { decryptSecret, encryptSecret, secretKeysIn } from '../../../host/secret-key.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  admin = await login(server);
});

const now = (): number => server.clock.now();
const otp = <T = null>(path: string, input: object, token: string): Promise<ApiResponse<T>> =>
  call<T>(server, 'POST', `otp/${path}`, input, { token });
const stateOf = async (token: string): Promise<OtpState> =>
  (await call<OtpState>(server, 'GET', 'otp/state', {}, { token })).data;
const enter = (account: string, code?: string): Promise<ApiResponse<LoginData>> =>
  call<LoginData>(server, 'POST', 'login', { account, password: PASSWORD, ...(code !== undefined && { otp: code }) });
const alive = async (token: string | undefined): Promise<boolean> =>
  (await call(server, 'GET', 'me', {}, { token })).code === 200;
const tally = (answers: readonly ApiResponse[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

describe('RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  // Test vectors of appendix B: the last six of their eight digits.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i the code is %s', (second, code) => {
    expect(stepOf(secret, code, second * 1000, 0)).toBe(Math.floor(second / 30));
    expect(codeAt(secret, second * 1000)).toBe(code);
  });

  test('accepts one step before and after the current one, or only the current one', () => {
    const at = 1_234_567_890_000;
    const step = Math.floor(at / STEP_MS);
    const stepsWithin = (window: number) =>
      [-2, -1, 0, 1, 2].map((n) => stepOf(secret, codeAt(secret, at + n * STEP_MS), at, window));
    expect(stepsWithin(1)).toEqual([undefined, step - 1, step, step + 1, undefined]);
    expect(stepsWithin(0)).toEqual([undefined, undefined, step, undefined, undefined]);
  });
});

describe('setting up', () => {
  test('requires the password, shows the secret, and has no effect before the first code', async () => {
    const agent = await makeOperator(server, admin);
    expect(await otp('setup', { password: 'not-the-password' }, agent.token)).toMatchObject({
      code: 401,
      msg: '密码错误',
    });
    const { code, data } = await otp<OtpSetup>('setup', { password: PASSWORD }, agent.token);
    expect(code).toBe(200);
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(data.uri);
    expect([uri.protocol, uri.hostname, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/HengTai:${agent.account}`,
    ]);
    expect(uri.searchParams.get('secret')).toBe(data.secret);
    expect(await stateOf(agent.token)).toMatchObject({ state: 0, since: null, recovery: 0, required: false });
    expect(await enter(agent.account)).toMatchObject({ code: 200 });
  });

  test('is confirmed by a code, shows ten recovery codes and ends the other sessions', async () => {
    const agent = await makeOperator(server, admin);
    const other = await login(server, agent.account, PASSWORD);
    expect(await otp('confirm', { code: '123456' }, agent.token)).toMatchObject({ code: 409 });
    const { secret } = (await otp<OtpSetup>('setup', { password: PASSWORD }, agent.token)).data;
    expect(await otp('confirm', { code: wrongCode(secret, now()) }, agent.token)).toMatchObject({ code: 401 });
    const at = now();
    const done = await otp<OtpRecovery>('confirm', { code: codeAt(secret, at) }, agent.token);
    expect(done).toMatchObject({ code: 200, msg: '一次性验证码已启用' });
    expect(new Set(done.data.recovery).size).toBe(10);
    for (const one of done.data.recovery) expect(one).toMatch(/^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){2}$/);
    expect([await alive(agent.token), await alive(other)]).toEqual([true, false]);
    const state = await stateOf(agent.token);
    expect(state).toMatchObject({ state: 1, recovery: 10 });
    expect(state.since).toBeGreaterThanOrEqual(at);
    expect(state.freshUntil).toBeGreaterThanOrEqual(at + 5 * 60_000);
    expect((await call<Me>(server, 'GET', 'me', {}, { token: agent.token })).data).toMatchObject({ otp: 1 });
    expect(await fetchAuditRows(server, done)).toMatchObject([
      { action: 'otp.confirm', result: 200, targetId: agent.id, after: { otp: 1, ended: 1 } },
    ]);
    for (const path of ['setup', 'confirm']) {
      const input = path === 'setup' ? { password: PASSWORD } : { code: codeAt(secret, now()) };
      expect(await otp(path, input, agent.token)).toMatchObject({ code: 409, msg: '一次性验证码已启用' });
    }
  });

  test('a second setup invalidates the first secret', async () => {
    const agent = await makeOperator(server, admin);
    const { secret: first } = (await otp<OtpSetup>('setup', { password: PASSWORD }, agent.token)).data;
    const { secret } = (await otp<OtpSetup>('setup', { password: PASSWORD }, agent.token)).data;
    expect(await otp('confirm', { code: codeAt(first, now()) }, agent.token)).toMatchObject({ code: 401 });
    expect(await otp('confirm', { code: codeAt(secret, now()) }, agent.token)).toMatchObject({ code: 200 });
  });

  test('is confirmed once by twenty parallel calls', async () => {
    const agent = await makeOperator(server, admin);
    const { secret } = (await otp<OtpSetup>('setup', { password: PASSWORD }, agent.token)).data;
    const code = codeAt(secret, now());
    const answers = await Promise.all(Array.from({ length: 20 }, () => otp('confirm', { code }, agent.token)));
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
  });
});

describe('a login with codes', () => {
  test('asks for a code only after the right password', async () => {
    const { account, secret } = await makeOtpOperator(server, admin);
    const answer = await enter(account);
    expect(answer).toMatchObject({ status: 200, code: 428, msg: '请输入一次性验证码', data: null });
    expect(answer.token).toBeUndefined();
    expect(await fetchAuditRows(server, answer)).toMatchObject([{ action: 'session.login', result: 428 }]);
    const wrong = { account, password: 'not-the-password' };
    expect(await call(server, 'POST', 'login', wrong)).toMatchObject({ code: 401 });
    const code = codeAt(secret, now());
    expect(await call(server, 'POST', 'login', { ...wrong, otp: code })).toMatchObject({ code: 401 });
    // A login with a wrong password does not spend the code.
    const entered = await enter(account, code);
    expect(entered).toMatchObject({ code: 200, msg: '登录成功' });
    expect((await stateOf(entered.token ?? '')).freshUntil).not.toBeNull();
  });

  test('answers a wrong code like a wrong password', async () => {
    const { account, secret } = await makeOtpOperator(server, admin);
    const plain = ({ status, code, msg, data, token }: ApiResponse) => ({ status, code, msg, data, token });
    const wrong = await enter(account, wrongCode(secret, now()));
    expect(plain(wrong)).toEqual(plain(await enter('nobody-at-all', '123456')));
    for (const code of ['', '12345', '1234567', 'abcdef', "1' or '1'='1", '１２３４５６']) {
      expect([code, (await enter(account, code)).code]).toEqual([code, code === '' ? 422 : 401]);
    }
  });

  test('accepts a code once, and none of an earlier step afterwards', async () => {
    const { account, secret } = await makeOtpOperator(server, admin);
    const before = codeAt(secret, now() - STEP_MS);
    const code = codeAt(secret, now());
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(account, code)));
    expect(tally(answers)).toEqual({ 200: 1, 401: 19 });
    server.clock.move(3_600_000);
    expect(await enter(account, code)).toMatchObject({ code: 401 });
    expect(await enter(account, before)).toMatchObject({ code: 401 });
    expect(await enter(account, codeAt(secret, now()))).toMatchObject({ code: 200 });
  });

  test('accepts a recovery code once, with or without hyphens', async () => {
    const { account, recoveryCodes: recovery } = await makeOtpOperator(server, admin);
    const [first = '', second = ''] = recovery;
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(account, first)));
    expect(tally(answers)).toEqual({ 200: 1, 401: 19 });
    server.clock.move(3_600_000);
    expect(await enter(account, first)).toMatchObject({ code: 401 });
    const entered = await enter(account, second.replaceAll('-', '').toLowerCase());
    expect(entered).toMatchObject({ code: 200 });
    // Sensitive actions still need a code of the authenticator.
    expect(await stateOf(entered.token ?? '')).toMatchObject({ recovery: 8, freshUntil: null });
    expect(await fetchAuditRows(server, entered)).toMatchObject([{ result: 200, after: { by: 'recovery' } }]);
  });

  test('refuses codes of another operator', async () => {
    const [one, other] = [await makeOtpOperator(server, admin), await makeOtpOperator(server, admin)];
    expect(await enter(one.account, other.recoveryCodes[0])).toMatchObject({ code: 401 });
    expect(await enter(one.account, codeAt(other.secret, now()))).toMatchObject({ code: 401 });
    // A secret copied into another operator's row cannot be decrypted.
    await server.query(sql`update otp a set secret = b.secret from otp b
      where a.operator_id = ${one.id} and b.operator_id = ${other.id}`);
    const input = { account: one.account, password: PASSWORD, otp: codeAt(other.secret, now()) };
    expect(await call(server, 'POST', 'login', input, { fails: true })).toMatchObject({ code: 500 });
    expect(await enter(other.account, codeAt(other.secret, now()))).toMatchObject({ code: 200 });
  });

  test('ignores a code from an operator without codes', async () => {
    const { account } = await makeOperator(server, admin);
    expect(await enter(account, '123456')).toMatchObject({ code: 200 });
  });

  test('limits wrong codes to twenty an hour; a missing code is not a guess', async () => {
    const { account, secret } = await makeOtpOperator(server, admin);
    for (let n = 0; n < 25; n += 1) expect(await enter(account)).toMatchObject({ code: 428 });
    const wrong = wrongCode(secret, now());
    const answers = await Promise.all(Array.from({ length: 25 }, () => enter(account, wrong)));
    expect(tally(answers)).toEqual({ 401: 20, 429: 5 });
    expect(await enter(account, codeAt(secret, now()))).toMatchObject({ code: 429 });
  });
});

describe('otp/fresh, otp/recovery, otp/disable', () => {
  test('answer 409 without codes', async () => {
    const { token } = await makeOperator(server, admin);
    for (const [path, input] of [
      ['fresh', { code: '123456' }],
      ['recovery', { code: '123456' }],
      ['disable', { code: '123456', password: PASSWORD }],
    ] as const) {
      expect(await otp(path, input, token)).toMatchObject({ code: 409, msg: '尚未启用一次性验证码' });
    }
  });

  test('recovery replaces the recovery codes', async () => {
    const { account, token, secret, recoveryCodes: recovery } = await makeOtpOperator(server, admin);
    const made = await otp<OtpRecovery>('recovery', { code: codeAt(secret, now()) }, token);
    expect(made.code).toBe(200);
    expect(made.data.recovery.filter((code) => recovery.includes(code))).toEqual([]);
    expect(await enter(account, recovery[0])).toMatchObject({ code: 401 });
    expect(await enter(account, made.data.recovery[0])).toMatchObject({ code: 200 });
  });

  test('disable requires both the password and a code', async () => {
    const { account, token, secret } = await makeOtpOperator(server, admin);
    const code = codeAt(secret, now());
    expect(await otp('disable', { password: 'not-the-password', code }, token)).toMatchObject({
      code: 401,
      msg: '密码错误',
    });
    expect(await otp('disable', { password: PASSWORD, code: wrongCode(secret, now()) }, token)).toMatchObject({
      code: 401,
      msg: '验证码错误或已使用过',
    });
    const done = await otp('disable', { password: PASSWORD, code }, token);
    expect(done).toMatchObject({ code: 200, msg: '一次性验证码已停用' });
    expect(await stateOf(token)).toMatchObject({ state: 0, recovery: 0 });
    expect(await enter(account)).toMatchObject({ code: 200 });
    expect(
      await server.query(sql`select 1 from otp_recovery r join agent a on a.id = r.operator_id
      where a.account = ${account}`),
    ).toEqual([]);
    const again = await enableOtp(server, token);
    expect(again.secret).not.toBe(secret);
  });

  test('limit guesses to twenty an hour per operator, across sessions and calls', async () => {
    const { account, token, secret } = await makeOtpOperator(server, admin);
    const second = (await enter(account, codeAt(secret, now()))).token ?? '';
    const wrong = wrongCode(secret, now());
    const ask = (n: number) => otp(n % 2 === 0 ? 'fresh' : 'recovery', { code: wrong }, n % 3 === 0 ? token : second);
    const answers = await Promise.all(Array.from({ length: 26 }, (_, n) => ask(n)));
    expect(tally(answers)).toEqual({ 401: 20, 429: 6 });
    server.clock.move(STEP_MS);
    expect(await otp('fresh', { code: codeAt(secret, now()) }, token)).toMatchObject({ code: 429 });
    server.clock.move(3_600_000);
    expect(await otp('fresh', { code: codeAt(secret, now()) }, token)).toMatchObject({ code: 200 });
  });

  test('refuse to confirm when the session ends during the request', async () => {
    const agent = await makeOperator(server, admin);
    const { secret } = (await otp<OtpSetup>('setup', { password: PASSWORD }, agent.token)).data;
    const lock = sql`select 1 from agent where id = ${agent.id} for update`;
    let confirming: Promise<ApiResponse> | undefined;
    await server.owner.transaction().execute(async (db) => {
      await lock.execute(db);
      confirming = otp('confirm', { code: codeAt(secret, now()) }, agent.token);
      await waitUntilBlocked(server);
      await sql`update session set ended_at = 1, end_reason = 'password' where operator_id = ${agent.id}`.execute(db);
    });
    expect(await confirming).toMatchObject({ code: 400 });
    expect(await server.query(sql`select otp_since from agent where id = ${agent.id}`)).toEqual([{ otp_since: null }]);
  });
});

describe('agent/otp/reset', () => {
  const reset = (id: number, token: string) =>
    call(server, 'POST', 'agent/otp/reset', { id, reason: '手机遗失' }, { token });

  test('allows a login by password alone, ends the sessions, and is audited', async () => {
    const parent = await makeOperator(server, admin);
    const agent = await makeOtpOperator(server, admin, { parent: parent.account });
    const done = await reset(agent.id, parent.token);
    expect(done).toMatchObject({ code: 200, data: { account: agent.account, otp: 0 } });
    expect(await alive(agent.token)).toBe(false);
    expect(await fetchAuditRows(server, done)).toMatchObject([
      { action: 'agent.otpReset', targetId: agent.id, before: { otp: 1 }, after: { otp: 0 }, reason: '手机遗失' },
    ]);
    expect(await reset(agent.id, parent.token)).toMatchObject({ code: 409, msg: '尚未启用一次性验证码' });
    const entered = await enter(agent.account);
    expect(entered).toMatchObject({ code: 200 });
    // The old codes and recovery codes stay invalid after a new setup.
    const again = await enableOtp(server, entered.token ?? '');
    expect(await enter(agent.account, agent.recoveryCodes[0])).toMatchObject({ code: 401 });
    expect(await enter(agent.account, codeAt(agent.secret, now()))).toMatchObject({ code: 401 });
    expect(await enter(agent.account, codeAt(again.secret, now()))).toMatchObject({ code: 200 });
  });

  test('requires a reason and an agent below; for holders of abilities 11 and 13 only the admin may do it', async () => {
    const parent = await makeOperator(server, admin);
    const agent = await makeOtpOperator(server, admin, { parent: parent.account });
    const noReason = { id: agent.id };
    expect(await call(server, 'POST', 'agent/otp/reset', noReason, { token: parent.token })).toMatchObject({
      code: 422,
      data: [{ field: 'reason' }],
    });
    expect(await reset(agent.id, agent.token)).toMatchObject({ code: 404 });
    expect(await reset(parent.id, agent.token)).toMatchObject({ code: 404 });
    const office = await makeOperator(server, admin, { abilities: [13] });
    expect(await reset(agent.id, office.token)).toMatchObject({ code: 403 });
    for (const ability of [11, 13]) {
      const guarded = await makeOtpOperator(server, admin, { parent: parent.account, abilities: [ability] });
      expect(await reset(guarded.id, parent.token)).toMatchObject({ code: 403 });
      expect(await reset(guarded.id, admin)).toMatchObject({ code: 200 });
    }
  });
});

describe('storage of secrets', () => {
  test('the database contains no secret, code, recovery code or key in clear text', async () => {
    const { secret, recoveryCodes: recovery, id } = await makeOtpOperator(server, admin);
    const tables = await server.query(sql<{ name: string }>`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
    const texts: string[] = [];
    for (const { name } of tables) {
      const [row] = await server.query(
        sql<{ text: string | null }>`select string_agg(t::text, chr(10)) as text from ${sql.raw(name)} t`,
      );
      texts.push(row?.text ?? '');
    }
    const dump = texts.join('\n');
    const path = join(server.auditDir, 'otp-key.json');
    const { key } = JSON.parse(await readFile(path, 'utf8')) as { key: string };
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (const hidden of [secret, key, ...recovery, ...recovery.map(plainCode)]) expect(dump).not.toContain(hidden);
    const [stored] = await server.query(sql<{ secret: string }>`select secret from otp where operator_id = ${id}`);
    expect(decryptSecret(secretKeysIn(server.auditDir).keys(), id, stored?.secret ?? '', 'otp')).toBe(secret);
    const other = secretKeysIn('', { otpKey: '0'.repeat(64) }).keys();
    expect(() => decryptSecret(other, id, stored?.secret ?? '', 'otp')).toThrow('was encrypted with another key');
  });

  test('two processes that create the key at once share one', async () => {
    const rings = [secretKeysIn(server.auditDir), secretKeysIn(server.auditDir)].map((ring) => ring.keys());
    const encrypted = rings.map(({ newest }) => encryptSecret(newest, 7, 'secret', 'otp'));
    for (const keys of rings) expect(decryptSecret(keys, 7, encrypted[0] ?? '', 'otp')).toBe('secret');
    expect(encrypted[0]).not.toBe(encrypted[1]);
  });

  test('recovery codes contain no look-alike characters and differ in form from authenticator codes', () => {
    const codes = Array.from({ length: 20 }, newRecoveryCodes).flat();
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => /[01ILO]/.test(code) || isDigits(plainCode(code)))).toEqual([]);
  });

  test('row-level security hides the tables from operators', async () => {
    const { id } = await makeOtpOperator(server, admin);
    const counts = await server.app.requests.connection().execute(async (db) => {
      await sql.raw(`begin; set local app.scope = 'agents'; set local app.tree = '${agentBits([id]).hex}'`).execute(db);
      const { rows } = await sql`select (select count(*) from otp) as a, (select count(*) from otp_recovery) as b,
        (select count(*) from login_guard) as c`.execute(db);
      await sql.raw('rollback').execute(db);
      return rows;
    });
    expect(counts).toEqual([{ a: 0, b: 0, c: 0 }]);
  });
});
