import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type SentEvent,
  fetchEntries,
  fetchBalances,
  fetchHouseBalance,
  makeMarket,
  expectRejection,
  setUserState,
  runWhileLive,
} from '../../../../test/book.ts';
import { findUser, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type TestServer, apply, login, testServer, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const deleteUser = (account: string) => server.query(sql`update users set deleted_at = 1 where account = ${account}`);

describe('user.registered', () => {
  const registered = (data: object): SentEvent => ({ type: 'user.registered', data });

  test('creates a user of the admin with the default settings', async () => {
    const account = unique('New.User-');
    const at = server.clock.now() - 10_000;
    await apply(server, { ...registered({ account, remark: '老客户' }), at });
    expect(await findUser(server, admin, account)).toMatchObject({
      account,
      agent: 'admin',
      remark: '老客户',
      state: 1,
      trade: 1,
      ieoBuy: 1,
      ieoSell: 1,
      ai: 0,
      winType: 0,
      winRate: null,
      createdAt: at,
      lastLoginAt: null,
    });
  });

  test('finds the agent regardless of case', async () => {
    const agent = unique('agent');
    const account = unique('user');
    await apply(server, { type: 'agent.registered', data: { account: agent } });
    await apply(server, registered({ account, agent: agent.toUpperCase() }));
    expect(await findUser(server, admin, account)).toMatchObject({ agent });
  });

  test('is rejected for an unknown or deleted agent', async () => {
    expect(await expectRejection(server, registered({ account: unique('user'), agent: 'nobody' }))).toBe(
      'unknown: agent',
    );
    const agent = unique('agent');
    await apply(server, { type: 'agent.registered', data: { account: agent } });
    await server.query(sql`update agent set deleted_at = 1 where account = ${agent}`);
    expect(await expectRejection(server, registered({ account: unique('user'), agent }))).toBe('unknown: agent');
  });

  test('is rejected for an account that exists or was deleted, regardless of case', async () => {
    const account = await makeUser(server);
    expect(await expectRejection(server, registered({ account }))).toBe('exists');
    expect(await expectRejection(server, registered({ account: account.toUpperCase() }))).toBe('exists');
    await deleteUser(account);
    expect(await expectRejection(server, registered({ account }))).toBe('exists');
  });

  test.each(['a', 'x'.repeat(65), 'a b', 'ünlaut', 'a/b', ''])('is rejected for the account %j', async (account) => {
    expect(await expectRejection(server, registered({ account }))).toBe('invalid: account');
  });

  test('is rejected for a remark of 201 characters', async () => {
    const data = { account: unique('user'), remark: 'x'.repeat(201) };
    expect(await expectRejection(server, registered(data))).toBe('invalid: remark');
  });
});

describe('user.login', () => {
  const loggedIn = (account: string, ip: string, at: number): SentEvent => ({
    type: 'user.login',
    data: { account, ip },
    at,
  });

  test('sets the last login; an older login that arrives later does not', async () => {
    const account = await makeUser(server);
    const now = server.clock.now();
    await apply(server, loggedIn(account, '203.0.113.7', now - 1_000), loggedIn(account, '203.0.113.9', now - 5_000));
    expect(await findUser(server, admin, account)).toMatchObject({
      lastLoginAt: now - 1_000,
      lastLoginIp: '203.0.113.7',
    });
  });

  test('sets the last login of a disabled user too', async () => {
    const account = await makeUser(server);
    await setUserState(server, account, 0);
    const at = server.clock.now() - 1_000;
    await apply(server, loggedIn(account, '2001:db8::1', at));
    expect(await findUser(server, admin, account)).toMatchObject({ lastLoginAt: at });
  });

  test('is rejected for an unknown or deleted user and for an invalid IP address', async () => {
    const account = await makeUser(server);
    expect(await expectRejection(server, loggedIn('nobody', '203.0.113.7', 1))).toBe('unknown: account');
    expect(await expectRejection(server, loggedIn(account, '', 1))).toBe('invalid: ip');
    expect(await expectRejection(server, loggedIn(account, 'x'.repeat(65), 1))).toBe('invalid: ip');
    await deleteUser(account);
    expect(await expectRejection(server, loggedIn(account, '203.0.113.7', 1))).toBe('unknown: account');
  });
});

describe('user.credential', () => {
  const changed = (account: string, kind: string): SentEvent => ({ type: 'user.credential', data: { account, kind } });

  test.each(['password', 'otp', 'phone', 'mail'])('%s adds a risk to later withdrawals', async (kind) => {
    const account = await makeUser(server, { amount: '100' });
    const before = await makeWithdraw(server, admin, account, { amount: '10' });
    expect(before.risk).not.toContain('credential_changed');
    await apply(server, changed(account, kind));
    const after = await makeWithdraw(server, admin, account, { amount: '10' });
    expect(after.risk).toContain('credential_changed');
  });

  test('is rejected for another kind and for an unknown user', async () => {
    const account = await makeUser(server);
    expect(await expectRejection(server, changed(account, 'avatar'))).toBe('invalid: kind');
    expect(await expectRejection(server, changed('nobody', 'otp'))).toBe('unknown: account');
  });
});

describe('balance.imported', () => {
  const imported = (account: string, more: object = {}): SentEvent => ({
    type: 'balance.imported',
    data: { account, market: 'USDT', platform: 1, active: '250.75', ...more },
  });

  test.each([1, 2, 3, 4])('credits account type %i from custody', async (platform) => {
    const account = await makeUser(server);
    const market = await makeMarket(server);
    const at = server.clock.now() - 86_400_000;
    await apply(server, { ...imported(account, { market, platform }), at });
    expect(await fetchEntries(server, account)).toEqual([
      {
        market,
        platform,
        bucket: 'active',
        type: 1,
        amount: '250.75',
        balance: '250.75',
        refType: 'import',
        createdAt: at,
      },
    ]);
    expect(await fetchHouseBalance(server, 'custody', market)).toBe('-250.75');
  });

  test('adds to the existing balance', async () => {
    const account = await makeUser(server, { amount: '1' });
    await apply(server, imported(account), imported(account));
    expect(await fetchBalances(server, account)).toEqual({ 'USDT 1 active': '502.5' });
  });

  test('is rejected for an unknown user, market or account type and for a zero amount', async () => {
    const account = await makeUser(server);
    expect(await expectRejection(server, imported('nobody'))).toBe('unknown: account');
    expect(await expectRejection(server, imported(account, { market: 'NONE' }))).toBe('unknown: market');
    expect(await expectRejection(server, imported(account, { platform: 5 }))).toBe('invalid: platform');
    expect(await expectRejection(server, imported(account, { active: '0' }))).toBe('invalid: active');
  });

  test('is rejected once the installation is live', async () => {
    const account = await makeUser(server);
    await runWhileLive(server, async () => {
      expect(await expectRejection(server, imported(account))).toBe('live');
    });
  });
});
