import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Algorithm, type Lies, makeAuthenticator } from '../../../../test/authenticator.ts';
import { STEP_MS, codeAt, enableOtp } from '../../../../test/codes.ts';
import { PASSWORD, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import {
  type PasskeyOperator,
  add,
  begin,
  confirm,
  enrol,
  keyed,
  makePasskeyOperator,
  send,
} from '../../../../test/passkeys.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';

let server: TestServer;
let admin: string;
let user: string;
let agent: PasskeyOperator;

const makeReviewer = (authenticator = makeAuthenticator()): Promise<PasskeyOperator> =>
  makePasskeyOperator(server, admin, { abilities: [3, 9, 13], authenticator });

beforeAll(async () => {
  server = await testServer({ jobs: false });
  user = await makeUser(server, { amount: '100000' });
});
afterAll(() => server.stop());
beforeEach(async () => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  admin = await login(server);
  agent = await makeReviewer();
});

const makeWaitingWithdraw = () => makeWithdraw(server, admin, user, { amount: '10' });
const pass = async () => keyed('withdraw/pass', { id: (await makeWaitingWithdraw()).id });
const codeOf = async (answer: Promise<ApiResponse>): Promise<number> => (await answer).code;

describe('a sensitive action', () => {
  test.each<[Algorithm, boolean]>([
    ['ES256', true],
    ['EdDSA', true],
    ['ES256', false],
  ])('is confirmed by %s, with a counter: %s', async (algorithm, hasCounter) => {
    const owner = await makeReviewer(makeAuthenticator({ algorithm, hasCounter }));
    for (const one of [await pass(), await pass()]) {
      expect(await send(server, owner.token, one)).toMatchObject({
        code: 428,
        msg: '请使用通行密钥验证身份',
        data: { passkey: true, code: false },
      });
      const confirmed = await confirm(server, owner, one);
      expect(confirmed).toMatchObject({ code: 200 });
      expect(await fetchAuditRows(server, confirmed)).toMatchObject([
        { action: 'passkey.fresh', result: 200, after: { by: 'passkey', passkey: 'YubiKey' } },
      ]);
      const done = await send(server, owner.token, one);
      expect(done).toMatchObject({ code: 200, data: { state: 2 } });
      // The stored answer needs no further factor.
      server.clock.move(6 * 60_000);
      expect((await send(server, owner.token, one)).data).toEqual(done.data);
    }
  });

  test('is confirmed alone: not another action, input, key or session', async () => {
    const [one, other] = [await pass(), await pass()];
    expect(await codeOf(confirm(server, agent, one))).toBe(200);
    expect(await codeOf(send(server, agent.token, other))).toBe(428);
    expect(await codeOf(send(server, agent.token, { ...one, body: other.body }))).toBe(428);
    expect(await codeOf(send(server, agent.token, { ...one, key: other.key }))).toBe(428);
    expect(await codeOf(send(server, agent.token, { ...one, path: 'withdraw/retry' }))).toBe(428);
    const second = await loginAgain(agent);
    expect(await codeOf(send(server, second, one))).toBe(428);
    expect(await codeOf(call(server, 'POST', one.path, one.body, { token: agent.token }))).toBe(428);
    expect(await codeOf(send(server, agent.token, one))).toBe(200);
  });

  test('is refused five minutes after the confirmation', async () => {
    const one = await pass();
    await confirm(server, agent, one);
    server.clock.move(5 * 60_000 + 1_000);
    expect(await codeOf(send(server, agent.token, one))).toBe(428);
  });

  test('of a bulk call is confirmed once for all records', async () => {
    const rows = [await makeWaitingWithdraw(), await makeWaitingWithdraw()];
    const one = keyed('withdraw/pass/many', { ids: rows.map(({ id }) => id) });
    expect(await codeOf(send(server, agent.token, one))).toBe(428);
    await confirm(server, agent, one);
    const { data } = await send<BulkResult>(server, agent.token, one);
    expect(data.results.map(({ code }) => code)).toEqual([200, 200]);
  });

  test('accepts a code as before from an operator who has both', async () => {
    const both = await makeReviewer();
    await server.query(sql`update agent set passkey_rps = '{}' where id = ${both.id}`);
    const { secret } = await enableOtp(server, both.token);
    await server.query(sql`update agent set passkey_rps = '{localhost}' where id = ${both.id}`);
    server.clock.move(6 * 60_000);
    const one = await pass();
    expect(await codeOf(send(server, both.token, one))).toBe(428);
    const code = codeAt(secret, server.clock.now() + STEP_MS);
    expect(await codeOf(call(server, 'POST', 'otp/fresh', { code }, { token: both.token }))).toBe(200);
    expect(await codeOf(send(server, both.token, one))).toBe(200);
  });
});

/** A second session of an operator with a passkey. */
async function loginAgain({ account }: PasskeyOperator): Promise<string> {
  const input = { account, password: PASSWORD };
  const asked = await call<{ passkey: never }>(server, 'POST', 'login', input);
  const passkey = agent.authenticator.get(asked.data.passkey);
  const entered = await call(server, 'POST', 'login', { ...input, passkey });
  return entered.token ?? '';
}

describe('an assertion is refused', () => {
  const lies: [string, Lies][] = [
    ['from another origin', { origin: 'http://localhost:9999' }],
    ['for another address', { rpId: 'evil.example' }],
    ['from a page inside another', { crossOrigin: true }],
    ['of an unknown challenge', { challenge: 'AAAA' }],
    ['of an unknown passkey', { id: 'AAAA' }],
  ];
  test.each(lies)('%s', async (_name, lie) => {
    const one = await pass();
    expect(await confirm(server, agent, one, lie)).toMatchObject({ code: 401, msg: '通行密钥验证失败，请重试' });
    expect(await codeOf(send(server, agent.token, one))).toBe(428);
  });

  const freshWith = (token: string, passkey: object): Promise<ApiResponse> =>
    call(server, 'POST', 'passkey/fresh', { passkey }, { token });

  test('when replayed, late, or with a changed signature', async () => {
    const one = await pass();
    const { data: first } = await begin(server, agent.token, one);
    const assertion = agent.authenticator.get(first);
    expect(await codeOf(freshWith(agent.token, assertion))).toBe(200);
    expect(await codeOf(freshWith(agent.token, assertion))).toBe(401);
    const { data: late } = await begin(server, agent.token, one);
    server.clock.move(5 * 60_000 + 1_000);
    expect(await codeOf(freshWith(agent.token, agent.authenticator.get(late)))).toBe(401);
    const { data: forged } = await begin(server, agent.token, one);
    const { signature } = makeAuthenticator().get(forged);
    expect(await codeOf(freshWith(agent.token, { ...agent.authenticator.get(forged), signature }))).toBe(401);
    // The failed attempt has used the challenge up.
    expect(await codeOf(freshWith(agent.token, agent.authenticator.get(forged)))).toBe(401);
  });

  test('with the challenge of another session, operator or purpose', async () => {
    const one = await pass();
    const other = await makeReviewer();
    const { data: stolen } = await begin(server, other.token, one);
    expect(await codeOf(freshWith(agent.token, agent.authenticator.get(stolen)))).toBe(401);
    const second = await loginAgain(agent);
    const { data: elsewhere } = await begin(server, second, one);
    expect(await codeOf(freshWith(agent.token, agent.authenticator.get(elsewhere)))).toBe(401);
    const input = { account: agent.account, password: PASSWORD };
    const { data: asked } = await call<{ passkey: never }>(server, 'POST', 'login', input);
    expect(await codeOf(freshWith(agent.token, agent.authenticator.get(asked.passkey)))).toBe(401);
    const { data } = await begin(server, agent.token, one);
    expect(await codeOf(call(server, 'POST', 'login', { ...input, passkey: agent.authenticator.get(data) }))).toBe(401);
    // The passkey of another operator does not answer for this one.
    const { data: own } = await begin(server, agent.token, one);
    expect(await codeOf(freshWith(agent.token, other.authenticator.get(own)))).toBe(401);
  });

  test('of a challenge for a call adds no passkey', async () => {
    const stranger = await makeOperator(server, admin, {});
    const { data: creation } = await enrol(server, stranger.token, PASSWORD);
    const { data } = await begin(server, agent.token, await pass());
    const made = makeAuthenticator().create({ ...creation, challenge: data.challenge });
    expect(await codeOf(add(server, agent.token, made))).toBe(401);
  });

  test('of a passkey that was removed', async () => {
    const one = await pass();
    const { data } = await begin(server, agent.token, one);
    await server.query(sql`delete from passkey where id = ${agent.passkey.id}`);
    expect(await codeOf(freshWith(agent.token, agent.authenticator.get(data)))).toBe(401);
  });

  test('when the counter did not go up, which raises an alarm', async () => {
    const one = await pass();
    const stored = await server.query(
      sql<{ n: number }>`select counter as n from passkey where id = ${agent.passkey.id}`,
    );
    const refused = await confirm(server, agent, one, { counter: stored[0]?.n ?? 0 });
    expect(refused).toMatchObject({ code: 401 });
    expect((await fetchAuditRows(server, refused)).map(({ action, result }) => [action, result])).toEqual([
      ['passkey.cloned', 401],
      ['passkey.fresh', 401],
    ]);
    expect(await codeOf(send(server, agent.token, one))).toBe(428);
    const alarms = await call<Page<AlarmRow>>(
      server,
      'GET',
      'alarm/list',
      { kind: 'passkey.cloned' },
      { token: admin },
    );
    expect(alarms.data.list).toMatchObject([{ kind: 'passkey.cloned', targetType: 'agent', targetId: agent.id }]);
    // Two servers may not accept one count: the statement that stores it compares it.
    expect(await codeOf(confirm(server, agent, one, { counter: 1_000 }))).toBe(200);
    expect(await codeOf(confirm(server, agent, one, { counter: 1_000 }))).toBe(401);
  });

  test('after twenty wrong ones in an hour, together with codes', async () => {
    const one = await pass();
    const codes: number[] = [];
    for (let n = 0; n < 21; n += 1) codes.push(await codeOf(confirm(server, agent, one, { rpId: 'evil.example' })));
    expect(codes).toEqual([...Array<number>(20).fill(401), 429]);
    expect(await codeOf(confirm(server, agent, one))).toBe(429);
  });
});
