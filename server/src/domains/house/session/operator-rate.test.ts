import { ABILITY } from '@hengtai/contract/authority/ability';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeOtpOperator, codeAt } from '../../../../test/codes.ts';
import { PASSWORD, type TestOperator, clearRateLimits, makeOperator, makeUser } from '../../../../test/factories.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { type ApiResponse, type TestServer, call, login, testServer, unique } from '../../../../test/server.ts';
import { AGENTS_ADDED, TAKEN_ACCOUNTS } from '../../../authority/operator-rate.store.ts';

let server: TestServer;
let admin: string;
let agent: TestOperator;
let foreign: { agent: string; user: string };

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
  agent = await makeOperator(server, admin, { abilities: [ABILITY.users] });
  const other = await makeOperator(server, admin);
  foreign = { agent: other.account, user: await makeUser(server, { agent: other.account }) };
});
afterAll(() => server.stop());
beforeEach(() => clearRateLimits(server));

const add = (path: string, account: string, token = agent.token): Promise<ApiResponse> =>
  call(server, 'POST', path, { account, password: PASSWORD }, { token });
const codesOf = (answers: readonly ApiResponse[]): number[] => answers.map(({ code }) => code);

describe('accounts of other trees', () => {
  test('are revealed ten times a minute, then free and taken accounts are refused alike', async () => {
    const taken: ApiResponse[] = [];
    for (let tries = 0; tries < TAKEN_ACCOUNTS.max; tries += 1) {
      taken.push(await (tries % 2 === 0 ? add('agent/add', foreign.agent) : add('user/add', foreign.user)));
    }
    expect(new Set(codesOf(taken))).toEqual(new Set([409]));
    for (const [path, account] of [
      ['agent/add', foreign.agent],
      ['agent/add', unique('free')],
      ['user/add', foreign.user],
      ['user/add', unique('free')],
    ] as const) {
      expect(await add(path, account)).toMatchObject({ code: 429, status: 429 });
    }
    expect(await add('user/add', unique('free'), admin)).toMatchObject({ code: 200 });
    server.clock.move(60_001);
    expect(await add('user/add', unique('free'))).toMatchObject({ code: 200 });
  });

  test('share one limit across the operators of a branch', async () => {
    const below = await makeOperator(server, agent.token, { abilities: [ABILITY.users] });
    for (let tries = 0; tries < TAKEN_ACCOUNTS.max; tries += 1) {
      const { token } = tries % 2 === 0 ? agent : below;
      expect(await add('user/add', foreign.user, token)).toMatchObject({ code: 409 });
    }
    for (const { token } of [agent, below])
      expect(await add('user/add', foreign.user, token)).toMatchObject({ code: 429 });
  });

  test('are revealed ten times among parallel requests', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => add('user/add', foreign.user)));
    expect(codesOf(answers).filter((code) => code === 409)).toHaveLength(TAKEN_ACCOUNTS.max);
    expect(codesOf(answers).filter((code) => code === 429)).toHaveLength(30 - TAKEN_ACCOUNTS.max);
  });

  test('free accounts do not count', async () => {
    for (let tries = 0; tries < 2 * TAKEN_ACCOUNTS.max; tries += 1)
      expect(await add('user/add', unique('free'))).toMatchObject({ code: 200 });
  });

  test('are audited with the operator', async () => {
    const { requestId } = await add('agent/add', foreign.agent);
    expect(await fetchAuditRows(server, { requestId })).toMatchObject([
      { operator: agent.account, action: 'agent.add', result: 409 },
    ]);
  });

  test('do not use up the idempotency key', async () => {
    const account = unique('later');
    await makeUser(server, { account });
    const again = (): Promise<ApiResponse> =>
      call(server, 'POST', 'user/add', { account, password: PASSWORD }, { token: agent.token, key: account });
    expect(codesOf([await again(), await again()])).toEqual([409, 409]);
  });

  test.each(['agent/add', 'agent/parent/change'])(
    '%s answers a parent of another tree like an unknown one',
    async (path) => {
      const below = await makeOperator(server, agent.token);
      const input = path === 'agent/add' ? { account: unique('below'), password: PASSWORD } : { id: below.id };
      const field = path === 'agent/add' ? 'parentAccount' : 'parent';
      const answers = [];
      for (const parent of [foreign.agent, 'nobody-at-all']) {
        const { code, msg } = await call(server, 'POST', path, { ...input, [field]: parent }, { token: agent.token });
        answers.push({ code, msg });
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.code).not.toBe(200);
    },
  );
});

describe('agent/add', () => {
  test('is limited to 60 a minute', async () => {
    const times = Array.from({ length: AGENTS_ADDED.max - 1 }, () => server.clock.now());
    await sql`insert into operator_rate values (${agent.id}, ${AGENTS_ADDED.name}, ${times})`.execute(server.owner);
    expect(await add('agent/add', unique('last'))).toMatchObject({ code: 200 });
    expect(await add('agent/add', unique('more'))).toMatchObject({ code: 429 });
    server.clock.move(60_001);
    expect(await add('agent/add', unique('more'))).toMatchObject({ code: 200 });
  });

  test('requires a fresh code from an operator with one-time codes', async () => {
    const coded = await makeOtpOperator(server, admin);
    server.clock.move(5 * 60_000);
    const token = (await call(server, 'GET', 'me', {}, { token: coded.token })).token ?? coded.token;
    expect(await add('agent/add', unique('coded'), token)).toMatchObject({ code: 428 });
    const fresh = { code: codeAt(coded.secret, server.clock.now()) };
    expect(await call(server, 'POST', 'otp/fresh', fresh, { token })).toMatchObject({ code: 200 });
    expect(await add('agent/add', unique('coded'), token)).toMatchObject({ code: 200 });
  });
});
