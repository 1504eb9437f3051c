import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasExactNumbers } from '../src/http/wire-values.ts';
import { findUser, makeUser } from './factories.ts';
import { compileRegexpsUnoptimized } from './regexps.ts';
import { type TestServer, call, login, testServer } from './server.ts';

let server: TestServer;
let admin: string;

compileRegexpsUnoptimized();
beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(() => server.stop());

/** Sends a body as raw text. */
async function sendText(path: string, payload: string): Promise<Envelope> {
  const headers = { token: admin, 'content-type': 'application/json' };
  const response = await server.server.inject({ method: 'POST', url: `${API_BASE}${path}`, headers, payload });
  return response.json<Envelope>();
}

describe('amounts as JSON numbers', () => {
  const bodyOf = (userId: number, amount: string): string =>
    `{"userId":"${userId}","marketId":1,"platform":1,"state":0,"amount":${amount}}`;
  let userId: number;
  beforeAll(async () => {
    userId = (await findUser(server, admin, await makeUser(server, { amount: '1' }))).id;
  });

  test.each([
    ['7', '7'],
    ['0.0000001', '0.0000001'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['1.50', '1.5'],
    ['12345678.1234567', '12345678.1234567'],
    ['0.123456789012345', '0.123456789012345'],
  ])('%s is read as %s', async (literal, amount) => {
    await server.query(sql`update config set state = 0 where key = 'policy.asset.active'`);
    const before = await fetchTotal();
    expect(await sendText('asset/active/add', bodyOf(userId, literal))).toMatchObject({ code: 200 });
    const [row] = await server.query(
      sql<{ same: boolean }>`select ${await fetchTotal()}::numeric - ${before} = ${amount}::numeric as same`,
    );
    expect(row).toEqual({ same: true });
  });

  test.each([
    '1e2',
    '1E2',
    '1e-7',
    '1.5e0',
    '1234567890123456',
    '0.1000000000000000055',
    '1.234567890123456',
    '-1',
    '0',
    '100000000000000000000',
  ])('refuses %s', async (literal) => {
    const before = await fetchTotal();
    expect(await sendText('asset/active/add', bodyOf(userId, literal))).toMatchObject({
      code: 422,
      data: [{ field: 'amount' }],
    });
    expect(await fetchTotal()).toBe(before);
  });

  async function fetchTotal(): Promise<string> {
    const [row] = await server.query(
      sql<{ sum: string }>`select sum(balance) as sum from account where user_id = ${userId}`,
    );
    return row?.sum ?? '0';
  }
});

describe('ids as decimal strings', () => {
  test.each(['01', '1.0', ' 1', '+1', '-1', '1e1', '0', '', '9007199254740992', '99999999999999999999', 'x'])(
    '"%s" is not an id',
    async (id) => {
      const response = await call(server, 'POST', 'withdraw/pass', { id }, { token: admin });
      expect(response).toMatchObject({ code: 422, data: [{ field: 'id' }] });
    },
  );

  test('one id in two spellings is the same id twice', async () => {
    const response = await call(server, 'POST', 'agent/root', { agentId: [1, '1'] }, { token: admin });
    expect(response).toMatchObject({ code: 422, data: [{ field: 'agentId' }] });
  });

  test('a state or a type must be a number', async () => {
    const response = await call(server, 'POST', 'agent/state', { id: '1', type: '1', state: '1' }, { token: admin });
    expect(response).toMatchObject({ code: 422, data: [{ field: 'type' }, { field: 'state' }] });
  });
});

describe('numbers of a JSON text', () => {
  const long = 'x'.repeat(9_000_000);
  test.each([
    ['a number beside a text of nine megabytes', `{"text":"${long}","amount":1.5}`, true],
    ['a long number beside such a text', `{"text":"${long}","amount":1.0000000000000001}`, false],
    ['a number of nine megabytes', `[1${'0'.repeat(9_000_000)}]`, false],
    ['long numbers in texts', '{"1.0000000000000001":"1e5","a":1}', true],
    ['a text with a quote', String.raw`{"a":"\"1e5","b":1}`, true],
    ['a text that ends with a backslash', String.raw`{"a":"\\","b":1e5}`, false],
    ['a text with both', String.raw`{"a":"\\\"1e5","b":1}`, true],
    ['an empty text', '[1,"",1e5]', false],
    ['an exponent alone', '1e5', false],
    ['short numbers', '[true,null,0.000000000000000001,-12]', true],
    ['a text that does not end', '"1 \\', true],
  ])('%s', (_title, json, isExact) => {
    expect(hasExactNumbers(json)).toBe(isExact);
  });
});
