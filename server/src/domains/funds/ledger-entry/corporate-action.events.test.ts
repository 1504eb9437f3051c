import type { LedgerEntryRow, LedgerEntrySum } from '@hengtai/contract/funds/ledger-entry/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { FundDayRow, FundDaySum } from '@hengtai/contract/desk/report/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRejection, fetchHouseBalance, makeMarket } from '../../../../test/book.ts';
import { findUser, makeOperator } from '../../../../test/factories.ts';
import { type TestServer, apply, call, fetchData, login, send, testServer, unique } from '../../../../test/server.ts';
import { fetchSpotBalances, makeTrader, placeOrder } from '../../../../test/spot.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const adjusted = (account: string, market: string, amount: string, more: object = {}) => ({
  type: 'balance.adjusted',
  data: { no: unique('A'), batch: 'B-1', kind: 1, account, market, platform: 2, amount, reason: '一拆二', ...more },
});

test('a redenomination takes the old coin and adds the new one, to the last digit', async () => {
  const [old, coin] = [await makeMarket(server), await makeMarket(server)];
  const { account: agent } = await makeOperator(server, admin);
  const account = await makeTrader(server, { [old]: '3.000000000000000001' }, { agent });
  const batch = unique('B');
  const fields = { batch, kind: 3, reason: '1000:1 换算' };
  await apply(
    server,
    adjusted(account, old, '-3.000000000000000001', { ...fields, balance: '0' }),
    adjusted(account, coin, '0.003', { ...fields, balance: '0.0030' }),
  );
  expect(await fetchSpotBalances(server, account)).toEqual({ [`${coin} active`]: '0.003' });
  expect(await fetchHouseBalance(server, 'adjustment', old)).toBe('3.000000000000000001');
  expect(await fetchHouseBalance(server, 'adjustment', coin)).toBe('-0.003');

  // Listed and totalled by itself, with kind, batch and reason.
  const list = await call<Page<LedgerEntryRow, LedgerEntrySum>>(
    server,
    'GET',
    'fund/record',
    { account: `=${account}`, type: 27 },
    { token: admin },
  );
  expect(list.data.list.map(({ type, amount, refType, remark }) => [type, amount, refType, remark])).toEqual([
    [27, '0.003', 'corporate', `币种换算 ${batch}：1000:1 换算`],
    [27, '-3.000000000000000001', 'corporate', `币种换算 ${batch}：1000:1 换算`],
  ]);
  expect(list.data.summary?.map(({ marketName, count, amount }) => [marketName, count, amount])).toEqual([
    [old, 1, '-3.000000000000000001'],
    [coin, 1, '0.003'],
  ]);

  // Found by the number of the action, each entry within the scope of its reader.
  const { account: other, token: otherToken } = await makeOperator(server, admin);
  const foreign = await makeTrader(server, { [coin]: '1' }, { agent: other });
  await apply(server, adjusted(foreign, coin, '0.5', fields), adjusted(foreign, coin, '0.5'));
  const amountsOf = async (token: string) => {
    const { data } = await call<Page<LedgerEntryRow>>(server, 'GET', 'fund/record', { batch }, { token });
    return [data.total, data.list.map(({ amount }) => amount)];
  };
  expect(await amountsOf(admin)).toEqual([3, ['0.5', '0.003', '-3.000000000000000001']]);
  expect(await amountsOf(otherToken)).toEqual([1, ['0.5']]);

  // The fund report has a kind of its own: neither recharge nor withdrawal.
  const report = await fetchData<Page<FundDayRow, FundDaySum>>(server, admin, 'report/fund/list', { agent });
  const rowOf = (name: string) => report.list.find(({ marketName }) => marketName === name);
  expect(rowOf(old)).toMatchObject({
    balanced: 1,
    corporateIn: '0',
    corporateOut: '3.000000000000000001',
    withdrawOut: '0',
    adjustOut: '0',
    closing: '0',
  });
  expect(rowOf(coin)).toMatchObject({
    balanced: 1,
    corporateIn: '0.003',
    rechargeIn: '0',
    adjustIn: '0',
    closing: '0.003',
  });
  const { id } = await findUser(server, admin, account);
  const cards = await server.query(sql<{ n: number }>`
    select count(*)::int as n from adjustment where user_id = ${id}`);
  expect(cards).toEqual([{ n: 0 }]);
});

test('is refused where it contradicts the books', async () => {
  const account = await makeTrader(server, { BTC: '1' });
  await placeOrder(server, account, { side: 2, price: '10', amount: '0.4' });
  // Frozen money stays with its order.
  expect(await expectRejection(server, adjusted(account, 'BTC', '-0.61'))).toBe('insufficient');
  expect(await expectRejection(server, adjusted(account, 'BTC', '0.5', { balance: '1.5' }))).toBe('invalid: balance');
  expect(await expectRejection(server, adjusted(account, 'NOPE', '1'))).toBe('unknown: market');
  expect(await expectRejection(server, adjusted('nobody-here', 'BTC', '1'))).toBe('unknown: account');
  const refused = await send(server, adjusted(account, 'BTC', '0'), adjusted(account, 'BTC', '1', { reason: ' ' }));
  expect(refused.map(({ reason }) => reason)).toEqual(['invalid: amount', 'invalid: reason']);
  const event = adjusted(account, 'BTC', '0.6', { balance: '1.2' });
  await apply(server, event);
  expect(await expectRejection(server, event)).toBe('exists');
  expect(await fetchSpotBalances(server, account)).toEqual({ 'BTC active': '1.2', 'BTC frozen': '0.4' });
});
