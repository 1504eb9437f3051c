import type { UserLimits } from '@hengtai/contract/risk/withdraw-limit/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRejection, fetchBalances, makeMarket, runWhileLive } from '../../../../test/book.ts';
import { findWithdraw, makeUser, recharge } from '../../../../test/factories.ts';
import {
  type TestServer,
  apply,
  call,
  fetchData,
  login,
  platformCall,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { assign, makeGroup, saveLimit } from '../../../../test/withdraw-limits.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;
let market: string;
let account: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});
beforeEach(async () => {
  market = await makeMarket(server, { withdrawMin: '10', withdrawMax: '1000' });
  account = await makeUser(server, { amount: '100000', market });
});

interface Options {
  no?: string;
  fee?: string;
  account?: string;
  at?: number;
}
const requested = (amount: string, { at, ...options }: Options = {}) => ({
  type: 'withdraw.requested',
  data: { no: unique('W'), account, market, network: 'TRC20', address: unique('T'), amount, fee: '1', ...options },
  ...(at !== undefined && { at }),
});
const rejected = (amount: string, options: Options = {}) => expectRejection(server, requested(amount, options));
const setIdentity = (auth: number) => server.query(sql`update users set auth = ${auth} where account = ${account}`);
const idOf = async (name = account): Promise<number> =>
  (await server.query(sql<{ id: number }>`select id from users where account = ${name}`))[0]?.id ?? 0;
const appliedTo = async (no: string) => {
  const { id } = await findWithdraw(server, admin, no);
  return (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token: admin })).data.appliedLimits;
};

describe('limits of a level', () => {
  test('replace those of the coin; what was not passed counts as unverified', async () => {
    await saveLimit(server, admin, market, { level: 0 }, { singleMin: '20', singleMax: '50' });
    await saveLimit(server, admin, market, { level: 2 }, { singleMin: '5', singleMax: '0' });
    for (const auth of [0, 1, 4]) {
      await setIdentity(auth);
      expect(await rejected('19.999999999999999999')).toBe('below min');
      expect(await rejected('50.000000000000000001')).toBe('above max');
    }
    await setIdentity(2);
    expect(await rejected('1000.000000000000000001')).toBe('above max');
    await setIdentity(3);
    await apply(server, requested('5'), requested('1000.000000000000000001'));
  });

  test('can close a coin, and freeze nothing', async () => {
    await saveLimit(server, admin, market, { level: 0 }, { withdrawState: 0 });
    expect(await rejected('20')).toBe('closed');
    expect(await fetchBalances(server, account)).toEqual({ [`${market} 1 active`]: '100000' });
    await setIdentity(2);
    await apply(server, requested('20'));
  });

  test('count the amounts of a UTC day, fees included; rejected and cancelled ones do not count', async () => {
    await saveLimit(server, admin, market, { level: 0 }, { dayAmount: '100' });
    const midnight = Math.floor(server.clock.now() / 86_400_000) * 86_400_000;
    const yesterday = midnight - 1;
    await apply(server, requested('100', { at: yesterday }));
    expect(await rejected('10', { at: yesterday })).toBe('above daily amount');
    const cancelled = requested('60', { at: midnight });
    await apply(server, cancelled, requested('40', { at: midnight }));
    expect(await rejected('10', { at: midnight })).toBe('above daily amount');
    await apply(server, { type: 'withdraw.cancelled', data: { no: cancelled.data.no } });
    const { id } = await findWithdraw(server, admin, (await applyOne('60', midnight)).no);
    expect(await rejected('10', { at: midnight })).toBe('above daily amount');
    await call(server, 'POST', 'withdraw/reject', { id, reason: 'no' }, { token: admin });
    expect(await rejected('60.000000000000000001', { at: midnight })).toBe('above daily amount');
    await apply(server, requested('60', { at: midnight }));
    // Another coin has limits of its own.
    const other = await makeMarket(server);
    await recharge(server, account, '500', other);
    const elsewhere = requested('500', { at: midnight });
    await apply(server, { ...elsewhere, data: { ...elsewhere.data, market: other } });
  });

  const applyOne = async (amount: string, at: number) => {
    const event = requested(amount, { at });
    await apply(server, event);
    return event.data;
  };

  test('count withdrawals, also those of one call', async () => {
    await saveLimit(server, admin, market, { level: 0 }, { dayCount: 2 });
    const answers = await send(server, requested('10'), requested('10'), requested('10'), requested('10'));
    expect(answers.map(({ result, reason }) => reason ?? result)).toEqual([
      'applied',
      'applied',
      'above daily count',
      'above daily count',
    ]);
  });

  test('hold against concurrent requests', async () => {
    await saveLimit(server, admin, market, { level: 0 }, { dayAmount: '100', dayCount: 9 });
    // A live installation applies single events of several calls at once.
    await runWhileLive(server, async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(server, requested('40'))));
      const results = answers.flat().map(({ result, reason }) => reason ?? result);
      expect(results.filter((result) => result === 'applied')).toHaveLength(2);
      expect(results.filter((result) => result === 'above daily amount')).toHaveLength(6);
    });
    expect(await fetchBalances(server, account)).toMatchObject({ [`${market} 1 frozen`]: '80' });
  });
});

describe('a fee', () => {
  test('must be that of the terms, rounded down to the precision of the coin', async () => {
    await server.query(sql`update market set amount_precision = 4, withdraw_fee = 2 where market_name = ${market}`);
    await apply(server, requested('100', { fee: '7' }));
    await saveLimit(server, admin, market, { level: 0 }, { feeRate: '0.001' });
    for (const fee of ['7', '2.0999', '2.1001', '2.10001']) expect(await rejected('100.09', { fee })).toBe('fee');
    await apply(server, requested('100.09', { fee: '2.10' }));
    await saveLimit(server, admin, market, { level: 0 }, { feeFixed: '0' });
    expect(await rejected('100', { fee: '1' })).toBe('fee');
    const free = requested('100', { fee: '0' });
    await apply(server, free);
    expect(await appliedTo(free.data.no)).toMatchObject({ fee: '0', levelVersion: 2 });
  });

  test('is at least that of the network without a fixed one', async () => {
    const networks = [{ network: 'TRC20', recharge: 1, withdraw: 1, fee: '3' }];
    market = await makeMarket(server, { networks });
    await recharge(server, account, '1000', market);
    await saveLimit(server, admin, market, { level: 0 }, { feeRate: '0' });
    expect(await rejected('100', { fee: '2.999999999999999999' })).toBe('fee');
    await apply(server, requested('100', { fee: '3' }));
  });
});

describe('a group', () => {
  test('goes before the level, and a withdrawal keeps what it was judged by', async () => {
    const group = await makeGroup(server, admin);
    await saveLimit(server, admin, market, { level: 0 }, { singleMax: '50', dayAmount: '500' });
    await saveLimit(server, admin, market, { groupId: group.id }, { singleMax: '200' });
    const before = requested('50');
    await apply(server, before);
    expect(await assign(server, admin, await idOf(), group.id)).toMatchObject({ code: 200 });
    const judged = requested('200');
    await apply(server, judged);
    expect(await rejected('200.000000000000000001')).toBe('above max');
    await saveLimit(server, admin, market, { groupId: group.id }, { singleMax: '60' });
    expect(await rejected('61')).toBe('above max');
    const terms = { level: 0, levelVersion: 1, singleMin: '10', dayAmount: '500', dayCount: 0, fee: null };
    expect(await appliedTo(before.data.no)).toEqual({
      ...terms,
      userGroup: null,
      groupVersion: null,
      singleMax: '50',
      usedAmount: '0',
      usedCount: 0,
    });
    expect(await appliedTo(judged.data.no)).toEqual({
      ...terms,
      userGroup: group.name,
      groupVersion: 1,
      singleMax: '200',
      usedAmount: '50',
      usedCount: 1,
    });
  });

  test('a coin without limits of levels and groups records nothing', async () => {
    const event = requested('20');
    await apply(server, event);
    expect(await appliedTo(event.data.no)).toBeNull();
  });
});

test('the platform and operators read what a user may withdraw now', async () => {
  await saveLimit(server, admin, market, { level: 0 }, { dayAmount: '100', feeRate: '0.01' });
  await setIdentity(0);
  await apply(server, requested('20', { fee: '0.2' }));
  const path = `withdrawal-limits?account=${account.toUpperCase()}`;
  const { data } = await platformCall<{ market: string }[]>(server, 'GET', path);
  const terms = { withdrawState: 1, dayAmount: '100', dayCount: 0, feeFixed: null, feeRate: '0.01' };
  const used = { usedAmount: '20', usedCount: 1 };
  expect(data.find((coin) => coin.market === market)).toEqual({
    market,
    level: 0,
    min: '10',
    max: '1000',
    ...terms,
    ...used,
  });
  expect(data.find((coin) => coin.market === 'USDT')).toMatchObject({ min: '1', max: '0', feeRate: null });
  expect(await platformCall(server, 'GET', 'withdrawal-limits?account=nobody')).toMatchObject({ status: 404 });
  const own = await fetchData<UserLimits>(server, admin, 'withdraw/limit/user', { id: await idOf() });
  expect(own).toMatchObject({ level: 0, groupId: null, userGroup: null });
  expect(own.coins.find(({ marketName }) => marketName === market)).toMatchObject({
    singleMin: '10',
    singleMax: '1000',
    ...terms,
    ...used,
  });
});
