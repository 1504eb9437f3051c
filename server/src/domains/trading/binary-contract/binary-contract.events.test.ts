import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRejection, runWhileLive } from '../../../../test/book.ts';
import { findUser } from '../../../../test/factories.ts';
import { fetchRequestEntries } from '../../../../test/inspect.ts';
import {
  findBinaryContract,
  makeContractUser,
  makeBinaryContractMarket,
  openContract,
  contractOpened,
  settleAll,
  fetchContractBalances,
  sendTicks,
} from '../../../../test/binary-contract.ts';
import { apply, call, login, platformCall, provideServer, send, unique } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';

const server = provideServer({ jobs: false });
let admin: string;
let user: string;

beforeAll(async () => {
  admin = await login(server);
});
beforeEach(async () => {
  user = await makeContractUser(server);
});

const post = <T>(path: string, input: object) => call<T>(server, 'POST', path, input, { token: admin });
const setting = (over: object) => ({
  marketId: 0,
  seconds: 45,
  payoutRate: '33.3333',
  minAmount: '1',
  maxAmount: '0',
  sort: 0,
  state: 1,
  ...over,
});

describe('second.opened', () => {
  test('freezes the stake under the current terms and waits for its opening tick', async () => {
    const market = await makeBinaryContractMarket(server);
    const at = server.clock.now() - 5_000;
    await sendTicks(server, market, ['99', at - 1]);
    const event = { ...contractOpened(user, { market, amount: '12.345678' }), at };
    await apply(server, event);
    const row = await findBinaryContract(server, admin, event.data.no);
    expect(row).toMatchObject({
      account: user,
      agent: 'admin',
      marketName: market,
      side: 1,
      seconds: 30,
      amount: '12.345678',
      payoutRate: '75',
      tier: 0,
      // 9.2592585 rounded down to the decimals of USDT.
      payout: '9.259258',
      state: 0,
      type: 0,
      profit: null,
      openPrice: null,
      openAt: at,
      createdAt: at,
      settleAt: at + 30_000,
      settledAt: null,
    });
    expect(await fetchRequestEntries(server, row.id, 'second')).toMatchObject([
      { owner: 'user', bucket: 'active', type: 18, amount: '-12.345678' },
      { owner: 'user', bucket: 'frozen', type: 18, amount: '12.345678' },
    ]);
    expect(await fetchContractBalances(server, user)).toEqual({ active: '987.654322', frozen: '12.345678' });
    await settleAll(server);
    expect((await findBinaryContract(server, admin, row.no)).openPrice).toBeNull();
    await sendTicks(server, market, ['101', at + 10], ['102', at + 20]);
    await settleAll(server);
    expect(await findBinaryContract(server, admin, row.no)).toMatchObject({ state: 0, openPrice: '101' });
    expect(await checkBook(server.owner)).toEqual([]);
  });

  test('uses the own payout rate of a user for contracts opened after the change', async () => {
    const before = await openContract(server, user, { seconds: 60 });
    const { id } = await findUser(server, admin, user);
    await post('user/second/change', { id, winType: 1, winRate: '12.5' });
    const after = await openContract(server, user, { seconds: 60 });
    expect(await findBinaryContract(server, admin, before)).toMatchObject({ tier: 0, payoutRate: '80', payout: '80' });
    expect(await findBinaryContract(server, admin, after)).toMatchObject({
      tier: 1,
      payoutRate: '12.5',
      payout: '12.5',
    });
  });

  test('prefers the setting of the market, even if it is off; changes apply to later contracts only', async () => {
    const own = await post<{ id: number; version: number }>(
      'second/config/save',
      setting({ marketId: 2, seconds: 45 }),
    );
    expect((await post('second/config/save', setting({ seconds: 45, payoutRate: '50' }))).code).toBe(200);
    const first = await openContract(server, user, { seconds: 45 });
    const elsewhere = await openContract(server, user, { seconds: 45, market: 'ETH' });
    const { id, version } = own.data;
    const off = setting({ id, version, marketId: 2, state: 0, payoutRate: '1' });
    expect((await post('second/config/save', off)).code).toBe(200);
    expect(await expectRejection(server, contractOpened(user, { seconds: 45 }))).toBe('closed');
    await post('second/config/del', { id });
    const last = await openContract(server, user, { seconds: 45 });
    const rates = await Promise.all([first, elsewhere, last].map((no) => findBinaryContract(server, admin, no)));
    expect(rates.map(({ payoutRate }) => payoutRate)).toEqual(['33.3333', '50', '50']);
    expect(rates[0]?.payout).toBe('33.3333');
  });

  test.each<[string, object, string]>([
    ['more than the user has', { amount: '1000.01' }, 'insufficient'],
    ['less than the minimum', { amount: '9.99' }, 'below min'],
    ['more than the maximum', { amount: '5000.01' }, 'above max'],
    ['more decimals than USDT', { amount: '10.0000001' }, 'invalid: amount'],
    ['a zero amount', { amount: '0' }, 'invalid: amount'],
    ['a length without a setting', { seconds: 31 }, 'unknown: seconds'],
    ['a zero length', { seconds: 0 }, 'invalid: seconds'],
    ['an unknown side', { side: 3 }, 'invalid: side'],
    ['an unknown market', { market: 'NONE' }, 'unknown: market'],
    ['the settlement asset', { market: 'USDT' }, 'closed'],
    ['an unknown account', { account: 'nobody-here' }, 'unknown: account'],
    ['a price in the event', { openPrice: '1' }, 'invalid: openPrice'],
    ['a payout rate in the event', { payoutRate: '99' }, 'invalid: payoutRate'],
  ])('is rejected for %s', async (_what, over, reason) => {
    expect(await expectRejection(server, contractOpened(user, over))).toBe(reason);
  });

  test('is rejected for frozen users and users without trading, and while the market is halted, off or not listed', async () => {
    const { id } = await findUser(server, admin, user);
    await post('user/trade/close', { id });
    expect(await expectRejection(server, contractOpened(user))).toBe('trading closed');
    await post('user/trade/open', { id });
    await post('user/state/disable', { id });
    expect(await expectRejection(server, contractOpened(user))).toBe('frozen');
    await post('user/state/enable', { id });
    const market = await makeBinaryContractMarket(server);
    for (const [change, reason] of [
      ['second_halted_at = 1', 'halted'],
      ['second = 0', 'closed'],
      ['state = 2', 'closed'],
    ] as const) {
      await server.query(sql`update market set ${sql.raw(change)} where market_name = ${market}`);
      expect(await expectRejection(server, contractOpened(user, { market }))).toBe(reason);
      await server.query(
        sql`update market set second_halted_at = null, second = 1, state = 1 where market_name = ${market}`,
      );
    }
    // A halt of spot or futures does not halt binary contracts.
    await server.query(sql`update market set halted_at = 1, future_halted_at = 1 where market_name = ${market}`);
    await openContract(server, user, { market });
  });

  test('rejects a repeated number and ignores a repeated event', async () => {
    const event = { ...contractOpened(user), eventId: unique('twice-') };
    expect((await send(server, event, event)).map(({ result }) => result)).toEqual(['applied', 'duplicate']);
    expect(await expectRejection(server, contractOpened(user, { no: event.data.no }))).toBe('exists');
    expect((await fetchContractBalances(server, user)).frozen).toBe('100');
  });

  test('rejects a contract whose closing tick is recorded, except while importing history', async () => {
    const market = await makeBinaryContractMarket(server);
    const at = server.clock.now() - 60_000;
    await sendTicks(server, market, ['100', at], ['110', at + 30_000]);
    await runWhileLive(server, async () => {
      expect(await expectRejection(server, { ...contractOpened(user, { market }), at })).toBe('already decided');
      // The event is late, but its closing tick is not recorded.
      await apply(server, { ...contractOpened(user, { market }), at: at + 1 });
    });
    await apply(server, { ...contractOpened(user, { market }), at });
  });

  test('a running contract blocks the deletion of its user and appears in the user detail', async () => {
    const no = await openContract(server, user, { amount: '25' });
    const row = await findBinaryContract(server, admin, no);
    const { data } = await call<UserDetail>(server, 'GET', 'user/detail', { id: row.userId }, { token: admin });
    expect(data.contracts).toEqual([row]);
    expect(data.open).toContainEqual({ what: 'second', text: `秒合约 ${no}（BTC 看涨 25 USDT）` });
  });
});

test('GET seconds returns every setting to the platform', async () => {
  await post('second/config/save', setting({ marketId: 3, seconds: 77, sort: 5 }));
  const { data } = await platformCall<object[]>(server, 'GET', 'seconds');
  expect(data).toContainEqual({
    market: null,
    seconds: 30,
    payoutRate: '75',
    minAmount: '10',
    maxAmount: '5000',
    sort: 0,
    state: 1,
  });
  expect(data).toContainEqual({
    market: 'ETH',
    seconds: 77,
    payoutRate: '33.3333',
    minAmount: '1',
    maxAmount: '0',
    sort: 5,
    state: 1,
  });
});
